package emulator

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"encoding/hex"
	"sync"
)

// ids makes every id and secret of a world that keeps nothing: each is a function of the seed, the world's name, its kind, and how many of
// its kind there were before. What is made of one kind changes nothing of another's.
type ids struct {
	base [32]byte

	mu   sync.Mutex
	made map[string]uint64 // by kind
}

// newIDs returns the ids of a world. Where secrets of one's own open the server, they are part of the seed, so that nobody else can work
// out what signs addresses.
func newIDs(seed uint64, world string, secrets []Secret) *ids {
	h := sha256.New()
	h.Write([]byte("soundstage ids 1\x00"))
	h.Write(binary.BigEndian.AppendUint64(nil, seed))
	h.Write([]byte(world))
	if !everybodys(secrets) {
		for _, s := range secrets {
			h.Write([]byte("\x00" + s.Value))
		}
	}
	return &ids{base: [32]byte(h.Sum(nil)), made: map[string]uint64{}}
}

// everybodys reports whether the secrets are those that everybody knows.
func everybodys(secrets []Secret) bool {
	known := SandboxSecrets()
	if len(secrets) != len(known) {
		return false
	}
	for i, s := range secrets {
		if s != known[i] {
			return false
		}
	}
	return true
}

// next is 32 bytes that no other call for this kind returns.
func (g *ids) next(kind string) [32]byte {
	g.mu.Lock()
	n := g.made[kind]
	g.made[kind]++
	g.mu.Unlock()
	b := append(append(g.base[:len(g.base):len(g.base)], kind...), 0)
	return sha256.Sum256(binary.BigEndian.AppendUint64(b, n))
}

// NewID is a UUID with the bits of version 4 (RFC 9562, section 5.4).
func (g *ids) NewID(kind string) string {
	b := g.next("id " + kind)
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	s := hex.EncodeToString(b[:16])
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

// Read fills p for the next secret. It never fails.
func (g *ids) Read(p []byte) (int, error) {
	for n := 0; n < len(p); {
		b := g.next("secret")
		n += copy(p[n:], b[:])
	}
	return len(p), nil
}

// request is the id of the next request.
func (g *ids) request() string {
	b := g.next("request")
	return base32.StdEncoding.EncodeToString(b[:10])
}

// key signs the world's cursors and addresses.
func (g *ids) key() []byte {
	b := sha256.Sum256(append([]byte("key\x00"), g.base[:]...))
	return b[:]
}
