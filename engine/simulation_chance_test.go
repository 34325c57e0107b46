package engine_test

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"sync"
	"time"
)

// chance makes the random decisions of a seed. A decision depends on the seed, the virtual time, and its name. It doesn't depend on the
// decisions of other goroutines, so a seed can be replayed.
type chance struct {
	seed uint64

	mu    sync.Mutex
	at    time.Time
	asked map[string]uint64 // how often each name was asked for at this time
}

func newChance(seed uint64) *chance { return &chance{seed: seed, asked: map[string]uint64{}} }

// bits returns random bits for a name.
func (c *chance) bits(name string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	now := time.Now()
	c.mu.Lock()
	if !now.Equal(c.at) {
		c.at = now
		clear(c.asked)
	}
	c.asked[name]++
	words := [3]uint64{c.seed, uint64(now.UnixNano()), c.asked[name]}
	c.mu.Unlock()
	for _, w := range words {
		_, _ = h.Write(binary.LittleEndian.AppendUint64(nil, w))
	}
	x := h.Sum64() // the finalizer of SplitMix64: FNV alone mixes the last bytes badly
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// below returns a number from 0 to n-1.
func (c *chance) below(n int, name string) int { return int(c.bits(name) % uint64(n)) }

// percent reports true in p of 100 cases.
func (c *chance) percent(p int, name string) bool { return c.below(100, name) < p }

// span returns a duration below limit.
func (c *chance) span(limit time.Duration, name string) time.Duration {
	return time.Duration(c.bits(name) % uint64(limit))
}

// fraction returns a number in [0,1).
func (c *chance) fraction(name string) float64 { return float64(c.bits(name)>>11) / (1 << 53) }

// uuid returns a lower-case UUID.
func (c *chance) uuid(name string) string {
	a, b := c.bits(name), c.bits(name)
	return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", a>>32, a>>16&0xffff, a&0xfff, b>>52, b&0xffffffffffff)
}

// Read fills p with random bytes, as Config.Entropy.
func (c *chance) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(c.bits("entropy"))
	}
	return len(p), nil
}
