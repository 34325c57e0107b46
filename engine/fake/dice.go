package fake

import (
	"crypto/sha256"
	"fmt"
	"math/bits"
	"math/rand/v2"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// dice are the choices of one transcript. They draw from ChaCha8, whose output is specified, and not through rand.Rand,
// whose arithmetic is not.
type dice struct{ source *rand.ChaCha8 }

// roll returns the dice of a request whose media has speech in these spans. The samples themselves have no part in it:
// decoders round differently from machine to machine.
func roll(seed uint64, language transcript.Language, boosted []string, speakers int, spans []span) dice {
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "seed %d language %s speakers %d boosted %q spans %v", seed, language, speakers, boosted, spans)
	return dice{rand.NewChaCha8([32]byte(h.Sum(nil)))}
}

// below returns a number from 0 up to, not including, n.
func (d dice) below(n int) int {
	high, _ := bits.Mul64(d.source.Uint64(), uint64(n))
	return int(high)
}

// shuffle puts s in a random order.
func shuffle[T any](d dice, s []T) {
	for i := len(s) - 1; i > 0; i-- {
		j := d.below(i + 1)
		s[i], s[j] = s[j], s[i]
	}
}
