package fake

import (
	"cmp"
	"slices"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const (
	tail     = 2500 // milliseconds that a sentence leaves to the next one in its room, if it doesn't fill it
	stretch  = 35   // percent that the pace of a room may be off the easy one …
	haste    = 70   // … and that of a short room …
	reaction = 1600 // … of fewer milliseconds than these
	squeeze  = 40   // milliseconds that a word gets at least, where even the shortest sentence is too long
)

// script chooses what is said, room after room.
type script struct {
	dice   dice
	deck   []*sentence // in random order
	brief  []*sentence // the shortest of them, in order of their length
	boosts *boosts
	spoken int  // milliseconds of speech in the rooms that are filled
	asked  bool // the last sentence was a question
}

// newScript returns a script for so many milliseconds of speech.
func newScript(language transcript.Language, boosted []string, total int, d dice) (*script, error) {
	deck, carriers, err := sentences(language)
	if err != nil {
		return nil, err
	}
	shuffle(d, deck)
	shuffle(d, carriers)
	brief := slices.SortedStableFunc(slices.Values(deck), byLength)
	return &script{
		dice: d, deck: deck, brief: brief[:min(8, len(brief))], boosts: newBoosts(boosted, carriers, language, total),
	}, nil
}

// fill returns sentences for a room of so many milliseconds of speech, behind which somebody else may have the word.
// There are none when not even the shortest fits.
func (s *script) fill(room int, last bool) (said []*sentence) {
	length := 0
	for full := false; !full; {
		var next *sentence
		if next, full = s.next(room+sentenceRest, length, last); next == nil && len(said) == 0 {
			next = s.shortest(room)
		}
		if next == nil {
			break
		}
		said, length, s.asked = append(said, next), length+next.length, next.asks()
	}
	s.spoken += room
	return said
}

// next chooses what comes after sentences of a length in a room, and reports whether that fills the room; nil when
// nothing fits. It is a boosted word's sentence when one is due. Else it is one that was said least often; of these, one
// that goes with the mood, if it fits without much strain; of these, the one with the least strain.
func (s *script) next(room, length int, last bool) (next *sentence, full bool) {
	if next, full = s.boosts.next(s.spoken+length, room, length); next != nil {
		return next, full
	}
	middle, end := s.mood(last)
	least := 0
	for _, c := range s.deck {
		strain, fills, ok := fits(room, length+c.length)
		if !ok {
			continue
		}
		if mood := fills && end || !fills && middle; c.asks() != mood && strain < 2 {
			strain += 2
		}
		if cost := 10*c.uses + strain; next == nil || cost < least {
			next, full, least = c, fills, cost
		}
	}
	if next != nil {
		next.uses++
	}
	return next, full
}

// mood reports whether a question is wanted next, in the middle of a room and at its end: as often as there are questions
// left, and at the end of a turn every other time. Questions aren't answered with questions.
func (s *script) mood(last bool) (middle, end bool) {
	least := slices.MinFunc(s.deck, func(a, b *sentence) int { return cmp.Compare(a.uses, b.uses) }).uses
	left, questions := 0, 0
	for _, c := range s.deck {
		if c.uses == least {
			left++
			if c.asks() {
				questions++
			}
		}
	}
	some, often := s.dice.below(left) < questions, s.dice.below(2) == 0
	if s.asked {
		return false, false
	}
	return some, some || last && often
}

// shortest returns the least used of the shortest sentences, for a room that is too short for any other, or nil when it is
// so short that nothing can be said in it.
func (s *script) shortest(room int) (next *sentence) {
	for _, c := range s.brief {
		if room >= squeeze*len(c.tokens) && (next == nil || c.uses < next.uses) {
			next = c
		}
	}
	if next != nil {
		next.uses++
	}
	return next
}

// fits reports whether sentences of a length are right for a room. Either they fill it, at a pace that is not too far off
// the easy one, or they leave room for another sentence. strain is 0 for a natural pace, 1 for a lively or a slow one, 2
// for one that is only just possible, and 3 for haste, which is better than to react twice in the same words.
func fits(room, length int) (strain int, full, ok bool) {
	off := 100*int64(max(room, length))/int64(min(room, length)) - 100
	switch {
	case room-length >= tail:
		return 0, false, true
	case off <= 6:
		return 0, true, true
	case off <= 15:
		return 1, true, true
	case off <= stretch:
		return 2, true, true
	}
	return 3, true, room < reaction && length > room && off <= haste
}
