package emulator

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"encoding/hex"
	"sync"

	"github.com/soundstage-dev/soundstage/engine/queue"
)

// ids generates the ids and secrets of a world without a data folder. Each is a function of the seed, the world's name, its kind,
// and the number of earlier ones of that kind. So ids of one kind don't depend on other kinds. What jobs create has derived ids: jobs run
// concurrently, so their order may differ from run to run.
type ids struct {
	base [32]byte

	mu   sync.Mutex
	made map[string]uint64 // by kind
}

// newIDs returns the ids of a world. Custom secrets are part of the seed, so that no other client can compute the key that signs URLs.
func newIDs(seed uint64, world string, secrets []Secret) *ids {
	h := sha256.New()
	h.Write([]byte("soundstage ids 1\x00"))
	h.Write(binary.BigEndian.AppendUint64(nil, seed))
	h.Write([]byte(world))
	if !areSandboxSecrets(secrets) {
		for _, s := range secrets {
			h.Write([]byte("\x00" + s.Value))
		}
	}
	return &ids{base: [32]byte(h.Sum(nil)), made: map[string]uint64{}}
}

// areSandboxSecrets reports whether the secrets are the public sandbox secrets.
func areSandboxSecrets(secrets []Secret) bool {
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

// next returns 32 bytes that differ for each call and kind.
func (g *ids) next(kind string) [32]byte {
	g.mu.Lock()
	n := g.made[kind]
	g.made[kind]++
	g.mu.Unlock()
	b := append(append(g.base[:len(g.base):len(g.base)], kind...), 0)
	return sha256.Sum256(binary.BigEndian.AppendUint64(b, n))
}

// NewID returns a UUID of version 4 (RFC 9562, section 5.4).
func (g *ids) NewID(kind string) string { return uuid(g.next("id " + kind)) }

// DerivedID implements engine.DerivedIDs. No part of an id contains a NUL.
func (g *ids) DerivedID(kind string, of ...string) string {
	g.mu.Lock()
	g.made["derived"]++ // only for total
	g.mu.Unlock()
	b := append(append(g.base[:len(g.base):len(g.base)], "derived "+kind...), 0)
	for _, s := range of {
		b = append(append(b, s...), 0)
	}
	return uuid(sha256.Sum256(b))
}

// uuid returns the UUID of version 4 with some of the bytes.
func uuid(b [32]byte) string {
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	s := hex.EncodeToString(b[:16])
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

// Read fills p with bytes for a secret. It never fails.
func (g *ids) Read(p []byte) (int, error) {
	for n := 0; n < len(p); {
		b := g.next("secret")
		n += copy(p[n:], b[:])
	}
	return len(p), nil
}

// spread returns a number in [0,1) that follows from the seed, a job's row, and the number of its attempt, in any order of calls.
func (g *ids) spread(j queue.Job) float64 {
	b := append(append(g.base[:len(g.base):len(g.base)], "spread "+j.Ref...), 0)
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(b, uint64(j.Attempt)))
	return float64(binary.BigEndian.Uint64(sum[:])>>11) / (1 << 53)
}

// request returns the id of the next request.
func (g *ids) request() string {
	b := g.next("request")
	return base32.StdEncoding.EncodeToString(b[:10])
}

// key returns the key that signs the world's cursors and URLs.
func (g *ids) key() []byte {
	b := sha256.Sum256(append([]byte("key\x00"), g.base[:]...))
	return b[:]
}
