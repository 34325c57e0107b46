package cursor

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"time"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// version is the first byte of every cursor; another one is refused.
const version = 1

const macSize = 16 // bytes of HMAC-SHA256 that are kept

// Codec makes and reads keyset cursors: base64url(version | created_at µs, 8 bytes | id | MAC), where the MAC covers
// all that stands before it and the filter of the list, so that a cursor serves only the list that gave it.
type Codec struct{ Key []byte }

// Encode returns the cursor of a position in a list of a filter.
func (c Codec) Encode(p Position, filter string) string {
	b := []byte{version}
	b = binary.BigEndian.AppendUint64(b, uint64(p.CreatedAt.UnixMicro()))
	b = append(b, p.ID...)
	return base64.RawURLEncoding.EncodeToString(append(b, c.mac(b, filter)...))
}

// Decode returns the position, or CodeInvalid for anything that Encode didn't make for the same filter and key.
func (c Codec) Decode(s, filter string) (Position, error) {
	bad := fault.Errorf(fault.CodeInvalid, "cursor", "cursor is not one that this list has given.").WithRule("cursor.unknown").
		WithHint("Pass the next_cursor of the page before, with the same filters, or none for the first page.")
	// The decoder reads over line breaks and, unless it is strict, over stray bits: only the one true spelling is taken.
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil || len(b) <= 9+macSize || b[0] != version || base64.RawURLEncoding.EncodeToString(b) != s {
		return Position{}, bad
	}
	body, mac := b[:len(b)-macSize], b[len(b)-macSize:]
	if !hmac.Equal(mac, c.mac(body, filter)) {
		return Position{}, bad
	}
	at := time.UnixMicro(int64(binary.BigEndian.Uint64(body[1:9]))).UTC()
	return Position{CreatedAt: at, ID: string(body[9:])}, nil
}

func (c Codec) mac(body []byte, filter string) []byte {
	h := hmac.New(sha256.New, c.Key)
	var n [8]byte
	binary.BigEndian.PutUint64(n[:], uint64(len(body)))
	h.Write(n[:])
	h.Write(body)
	h.Write([]byte(filter))
	return h.Sum(nil)[:macSize]
}
