package fake

import (
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const (
	firstBoost     = 4000 // milliseconds of speech before the first boosted word, if there is far more speech
	boostLookahead = 8    // number of boosted words to try for each sentence
)

// boost is a boosted word and the milliseconds of speech after which it is due.
type boost struct {
	word string
	due  int
}

// boosts holds the boosted words that are not yet spoken, and the carrier sentences for them.
type boosts struct {
	language transcript.Language
	pending  []boost
	carriers []*sentence
	crowded  bool // the speech is hardly long enough for all words
}

// newBoosts spreads words evenly over the first three quarters of total milliseconds of speech. If they need more than that, all are due
// from the start.
func newBoosts(words []string, carriers []*sentence, language transcript.Language, total int) *boosts {
	b := &boosts{language: language, carriers: carriers}
	seen := map[string]bool{}
	need := 0
	for _, w := range words {
		w = strings.Join(strings.Fields(strings.ToValidUTF8(w, "")), " ")
		if w == "" || seen[w] || len(carriers) == 0 {
			continue
		}
		need += carriers[len(seen)%len(carriers)].withWord(w, language).length
		seen[w] = true
		b.pending = append(b.pending, boost{word: w})
	}
	if b.crowded = need > total*3/4; b.crowded {
		return b
	}
	first := 0
	if total > 5*firstBoost {
		first = firstBoost
	}
	for i := range b.pending {
		b.pending[i].due = first + int(int64(total*3/4-first)*int64(i)/int64(len(b.pending)))
	}
	return b
}

// next returns a sentence with a due boosted word for a block of available milliseconds, of which length are taken, or nil if none fits.
// full reports whether it fills the block. It prefers carriers that are rarely used and fit well, and short ones if b is crowded.
func (b *boosts) next(now, available, length int) (next *sentence, full bool) {
	for i := 0; i < min(len(b.pending), boostLookahead) && b.pending[i].due <= now; i++ {
		var from *sentence
		least := 0
		for _, c := range b.carriers {
			filled := c.withWord(b.pending[i].word, b.language)
			strain, fills, ok := fits(available, length+filled.length)
			cost := strain + c.uses
			if b.crowded {
				cost += filled.length / 500
			}
			if ok && (next == nil || cost < least) {
				next, full, from, least = filled, fills, c, cost
			}
		}
		if next != nil {
			from.uses++
			b.pending = slices.Delete(b.pending, i, i+1)
			return next, full
		}
	}
	return nil, false
}
