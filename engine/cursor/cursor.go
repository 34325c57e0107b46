package cursor

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"time"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// version is the first byte of every cursor.
const version = 1

const macSize = 16 // bytes of HMAC-SHA256 in a cursor

// Codec encodes and decodes keyset cursors: base64url(version | created_at µs, 8 bytes | id | MAC). The MAC covers everything
// before it and the list's filter, so that a cursor works only for the list that returned it.
type Codec struct{ Key []byte }

// Encode returns the cursor of a position in a list with a filter.
func (c Codec) Encode(p Position, filter string) string {
	b := []byte{version}
	b = binary.BigEndian.AppendUint64(b, uint64(p.CreatedAt.UnixMicro()))
	b = append(b, p.ID...)
	return base64.RawURLEncoding.EncodeToString(append(b, c.mac(b, filter)...))
}

// Decode returns the position of a cursor, or CodeInvalid unless Encode made it with the same filter and key.
func (c Codec) Decode(s, filter string) (Position, error) {
	bad := fault.Errorf(fault.CodeInvalid, "cursor", "cursor is not valid for this list.").WithRule("cursor.unknown").
		WithHint("Pass the next_cursor of the previous page with the same filters, or no cursor for the first page.")
	// The decoder accepts line breaks, and unless strict, unused bits. Encoding again rejects all but one spelling.
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
