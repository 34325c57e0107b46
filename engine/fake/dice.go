package fake

import (
	"crypto/sha256"
	"fmt"
	"math/bits"
	"math/rand/v2"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// dice is the random source of one transcript. It uses ChaCha8 directly, because its output is specified, while the methods of rand.Rand
// may change.
type dice struct{ source *rand.ChaCha8 }

// newDice returns the dice for a request whose media has speech in these spans. They don't depend on the samples, because decoders round
// differently between machines.
func newDice(seed uint64, language transcript.Language, boosted []string, speakers int, spans []span) dice {
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "seed %d language %s speakers %d boosted %q spans %v", seed, language, speakers, boosted, spans)
	return dice{rand.NewChaCha8([32]byte(h.Sum(nil)))}
}

// below returns a number from 0 up to, not including, n.
func (d dice) below(n int) int {
	high, _ := bits.Mul64(d.source.Uint64(), uint64(n))
	return int(high)
}

// shuffle shuffles s in place.
func shuffle[T any](d dice, s []T) {
	for i := len(s) - 1; i > 0; i-- {
		j := d.below(i + 1)
		s[i], s[j] = s[j], s[i]
	}
}
