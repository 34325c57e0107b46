package fake

import (
	"cmp"
	"slices"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const (
	minRemainder = 2500 // least milliseconds that must remain for the next sentence, unless the block is full
	maxDeviation = 35   // largest deviation from the natural pace, in percent
	maxSpeedUp   = 70   // largest speed-up in a short block, in percent
	shortBlock   = 1600 // milliseconds; a block below this is short
	minWord      = 40   // least milliseconds for a word if even the shortest sentence is too long
)

// script chooses the sentences for each block of speech.
type script struct {
	dice           dice
	sentences      []*sentence // all sentences in random order
	shortSentences []*sentence // the shortest ones, sorted by length
	boosts         *boosts
	spoken         int  // milliseconds of speech in the filled blocks
	lastAsked      bool // the last sentence was a question
}

// newScript returns a script for total milliseconds of speech.
func newScript(language transcript.Language, boosted []string, total int, d dice) (*script, error) {
	deck, carriers, err := sentences(language)
	if err != nil {
		return nil, err
	}
	shuffle(d, deck)
	shuffle(d, carriers)
	brief := slices.SortedStableFunc(slices.Values(deck), byLength)
	return &script{
		dice: d, sentences: deck, shortSentences: brief[:min(8, len(brief))], boosts: newBoosts(boosted, carriers, language, total),
	}, nil
}

// fill returns sentences for a block of available milliseconds, or none if even the shortest doesn't fit. last means that the block ends a
// turn.
func (s *script) fill(available int, last bool) (chosen []*sentence) {
	length := 0
	for full := false; !full; {
		var next *sentence
		if next, full = s.next(available+sentencePause, length, last); next == nil && len(chosen) == 0 {
			next = s.shortest(available)
		}
		if next == nil {
			break
		}
		chosen, length, s.lastAsked = append(chosen, next), length+next.length, next.isQuestion
	}
	s.spoken += available
	return chosen
}

// next chooses the next sentence for a block of available milliseconds, of which length are taken, and reports whether it fills the
// block. It returns nil if none fits. Sentences with due boosted words come first. Otherwise, it prefers the least used sentences, then
// questions or statements as wantsQuestion says, then the best fit.
func (s *script) next(available, length int, last bool) (next *sentence, full bool) {
	if next, full = s.boosts.next(s.spoken+length, available, length); next != nil {
		return next, full
	}
	middle, end := s.wantsQuestion(last)
	least := 0
	for _, c := range s.sentences {
		strain, fills, ok := fits(available, length+c.length)
		if !ok {
			continue
		}
		if mood := fills && end || !fills && middle; c.isQuestion != mood && strain < 2 {
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

// wantsQuestion reports whether the next sentence should be a question, in the middle of a block and at its end. Questions are as likely
// as their share of the least used sentences, at least 50 % at the end of a turn, and never follow a question.
func (s *script) wantsQuestion(last bool) (middle, end bool) {
	least := slices.MinFunc(s.sentences, func(a, b *sentence) int { return cmp.Compare(a.uses, b.uses) }).uses
	left, questions := 0, 0
	for _, c := range s.sentences {
		if c.uses == least {
			left++
			if c.isQuestion {
				questions++
			}
		}
	}
	some, often := s.dice.below(left) < questions, s.dice.below(2) == 0
	if s.lastAsked {
		return false, false
	}
	return some, some || last && often
}

// shortest returns the least used of the shortest sentences, for a block that is too short for all others. It returns nil if even these
// are too long.
func (s *script) shortest(available int) (next *sentence) {
	for _, c := range s.shortSentences {
		if available >= minWord*len(c.tokens) && (next == nil || c.uses < next.uses) {
			next = c
		}
	}
	if next != nil {
		next.uses++
	}
	return next
}

// fits reports whether sentences of length milliseconds fit into a block. Either they fill it at an acceptable pace (full), or they leave
// enough time for another sentence. strain is 0 for a natural pace, 1 for a brisk or slow one, 2 for one at the limit, and 3 for a hurried
// one. A hurried pace is accepted only in short blocks, to avoid repeating the same short sentences.
func fits(available, length int) (strain int, full, ok bool) {
	off := 100*int64(max(available, length))/int64(min(available, length)) - 100
	switch {
	case available-length >= minRemainder:
		return 0, false, true
	case off <= 6:
		return 0, true, true
	case off <= 15:
		return 1, true, true
	case off <= maxDeviation:
		return 2, true, true
	}
	return 3, true, available < shortBlock && length > available && off <= maxSpeedUp
}
