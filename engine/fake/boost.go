package fake

import (
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const (
	early = 4000 // milliseconds of speech before the first boosted word, if there is far more
	ahead = 8    // how many boosted words are tried at a time
)

// boost is a boosted word and the milliseconds of speech after which it is due.
type boost struct {
	word string
	due  int
}

// boosts are the boosted words that are still to be said, and the carriers to say them with.
type boosts struct {
	language transcript.Language
	pending  []boost
	carriers []*sentence
	crowded  bool // there is hardly room for all
}

// newBoosts spreads words evenly over the first three quarters of so many milliseconds of speech. When they would take
// more than that, all are due at once.
func newBoosts(words []string, carriers []*sentence, language transcript.Language, total int) *boosts {
	b := &boosts{language: language, carriers: carriers}
	seen := map[string]bool{}
	need := 0
	for _, w := range words {
		w = strings.Join(strings.Fields(strings.ToValidUTF8(w, "")), " ")
		if w == "" || seen[w] || len(carriers) == 0 {
			continue
		}
		need += carriers[len(seen)%len(carriers)].with(w, language).length
		seen[w] = true
		b.pending = append(b.pending, boost{word: w})
	}
	if b.crowded = need > total*3/4; b.crowded {
		return b
	}
	first := 0
	if total > 5*early {
		first = early
	}
	for i := range b.pending {
		b.pending[i].due = first + int(int64(total*3/4-first)*int64(i)/int64(len(b.pending)))
	}
	return b
}

// next returns a sentence with a boosted word that is due by now and fits behind sentences of a length in a room, and
// whether it fills the room; or nil. Its carrier is one that was used little and fits well, and a short one when it is
// crowded.
func (b *boosts) next(now, room, length int) (next *sentence, full bool) {
	for i := 0; i < min(len(b.pending), ahead) && b.pending[i].due <= now; i++ {
		var from *sentence
		least := 0
		for _, c := range b.carriers {
			filled := c.with(b.pending[i].word, b.language)
			strain, fills, ok := fits(room, length+filled.length)
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
