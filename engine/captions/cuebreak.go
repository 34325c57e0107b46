package captions

import (
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine/phrases"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// breaker finds the cheapest way to break an utterance into cues and lines, by dynamic programming over its words. best[j] is the cost of
// the cheapest cues with the first j words, and from[j] is where the last of those cues begins.
type breaker struct {
	o          Options
	language   transcript.Language
	small      *vocabulary
	facts      map[string]*wordFacts
	utterances []Utterance       // of the script
	again      map[int]tokenised // utterances that were broken again
	orphan     int               // o.orphan()
	mostWords  int               // o.mostWords()

	tokens  []token
	words   []transcript.Word // of the tokens
	gaps    []string          // before each of the tokens' words
	phrases *phrases.Text     // of Chinese and Japanese tokens
	starts  []int             // of the tokens in phrases
	width   []int             // of the first i words with the spaces before them
	chars   []int             // in the first i words
	spoken  []int             // how many of the first i words are not just punctuation
	ended   []int             // how many of the first i words end a sentence
	ends    []int             // what a cue costs that ends with the first i words
	best    []int
	from    []int
	cueEnds []int // of an utterance, the last one first
}

func newBreaker(o Options, s Script) *breaker {
	return &breaker{
		o: o, language: s.Language, small: vocabularyOf(s.Language), facts: map[string]*wordFacts{}, utterances: s.Utterances,
		again: map[int]tokenised{}, orphan: o.orphan(), mostWords: o.mostWords(),
	}
}

// tokenised is an utterance as tokens and their words.
type tokenised struct {
	tokens []token
	words  []transcript.Word
}

// append adds the cues of an utterance. Each lasts from the start of its first word to the end of its last.
func (b *breaker) append(cues []Cue, utterance int, lead lead) []Cue {
	b.setTokens(b.utterances[utterance])
	return b.appendTokens(cues, utterance, 0, lead)
}

// rebreak breaks a cue again into cues that each have room for a prefix, and adds them.
func (b *breaker) rebreak(cues []Cue, c Cue) []Cue {
	whole, ok := b.again[c.utterance]
	if !ok {
		b.tokens = nil
		b.setTokens(b.utterances[c.utterance])
		b.measure()
		whole = tokenised{b.tokens, b.words}
		b.again[c.utterance] = whole
	}
	b.tokens = whole.tokens[c.firstToken:c.lastToken:c.lastToken]
	b.words = whole.words[c.firstToken:c.lastToken]
	first := len(cues)
	cues = b.appendTokens(cues, c.utterance, c.firstToken, leadEvery)
	cues[first].Start = c.Start
	last := &cues[len(cues)-1]
	last.End = max(min(last.End, c.End), last.Start+time.Millisecond)
	b.tokens = nil
	return cues
}

// appendTokens adds the cues of the tokens, which begin with the given one of an utterance.
func (b *breaker) appendTokens(cues []Cue, utterance, firstToken int, lead lead) []Cue {
	u := &b.utterances[utterance]
	b.measure()
	b.choose(u.Name, lead)
	b.cueEnds = b.cueEnds[:0]
	for j := len(b.tokens); j > 0; j = b.from[j] {
		b.cueEnds = append(b.cueEnds, j)
	}
	w := b.newLineWriter()
	i := 0
	for _, j := range slices.Backward(b.cueEnds) {
		first, lines := b.room(u.Name, i, lead)
		c := w.cue(i, j, first, lines)
		c.Label, c.Speaker = u.Label, u.Name
		c.utterance, c.firstToken, c.lastToken = utterance, firstToken+i, firstToken+j
		c.roomy = lead == leadEvery || lead == leadFirst && i == 0
		cues = append(cues, c)
		i = j
	}
	return cues
}

// choose finds the cheapest cues.
func (b *breaker) choose(name string, lead lead) {
	n := len(b.tokens)
	for i := range n {
		first, lines := b.room(name, i, lead)
		lower := i + 1 // the first word of a second line that fits
		for j := i + 1; j <= n && b.together(i, j); j++ {
			if j > i+lines && b.columns(i, j) >= (b.o.Columns+1)*lines {
				break // more words than fit any lines
			}
			if b.o.Words > 0 && j > i+1 && b.spoken[j]-b.spoken[i] > b.mostWords {
				break
			}
			cost := b.best[i] + b.ends[j]
			if b.from[j] >= 0 && cost >= b.best[j] {
				continue // the rest doesn't matter
			}
			if cost += b.cueCost(i, j); b.from[j] >= 0 && cost >= b.best[j] {
				continue // its lines don't matter
			}
			layout, _, ok := b.splitLine(i, j, first, lines, &lower)
			if !ok {
				break
			}
			if cost += layout; b.from[j] < 0 || cost < b.best[j] {
				b.best[j], b.from[j] = cost, i
			}
		}
	}
}

// measure computes prefix sums, so that any question about a run of words takes constant time.
func (b *breaker) measure() {
	n := len(b.tokens)
	b.width, b.chars = resize(b.width, n+1), resize(b.chars, n+1)
	b.spoken, b.ended, b.ends = resize(b.spoken, n+1), resize(b.ended, n+1), resize(b.ends, n+1)
	b.best, b.from = resize(b.best, n+1), resize(b.from, n+1)
	b.width[0], b.chars[0], b.best[0], b.spoken[0], b.ended[0] = 0, 0, 0, 0, 0
	b.small.capitalsName = b.capitalsName()
	spoken := 0 // the last token that is not just closing punctuation
	for i := range b.tokens {
		t := &b.tokens[i]
		if !t.closes() {
			t.late = t.Start-b.tokens[spoken].End > b.o.MaxPause
			spoken = i
		}
		if i+1 < n {
			t.cost = b.costAfter(i)
		}
		space, word, end := 0, 1, 0
		if t.gap != "" {
			space = 1
		}
		if t.mark || t.part || t.initial || t.glued {
			word = 0
		}
		if t.sentence && t.cost == costSentence {
			end = 1
		}
		b.width[i+1] = b.width[i] + t.columns + space
		b.chars[i+1] = b.chars[i] + t.chars + space
		b.spoken[i+1] = b.spoken[i] + word
		b.ended[i+1] = b.ended[i] + end
		b.ends[i+1] = b.endCost(i + 1)
		b.from[i+1] = -1
	}
}

// capitalsName reports whether capitals can show names in the tokens: not if most words have one, as in headlines.
func (b *breaker) capitalsName() bool {
	words, capitals := 0, 0
	for i := range b.tokens {
		if t := &b.tokens[i]; !t.mark && !t.digits {
			words++
			if t.capital {
				capitals++
			}
		}
	}
	return words < 8 || capitals*3 < words*2
}

// costAfter returns the cost of a break after word i, which is not the last.
func (b *breaker) costAfter(i int) int {
	word, next := &b.tokens[i], &b.tokens[i+1]
	switch {
	case next.part:
		return costPart
	case next.glued:
		return costNever
	case next.amount:
		return costUnit
	case b.insideName(i):
		return costName
	}
	var before, after *wordFacts
	if i > 0 {
		before = b.tokens[i-1].wordFacts
	}
	if i+2 < len(b.tokens) {
		after = b.tokens[i+2].wordFacts
	}
	if word.sentence && !transcript.EndsSentence(word.Text, next.Text, b.language) {
		inside := *word.wordFacts
		inside.sentence = false
		word.wordFacts = &inside
	}
	cost := b.small.breakCost(before, word.wordFacts, next.wordFacts, after)
	switch {
	case next.torn && cost > costClause:
		return max(cost, costTorn)
	case next.inside && cost > costClause:
		return max(cost, costBound)
	}
	return cost
}

// insideName reports whether word i and the next one are of a name with particles: Tom van der Berg.
func (b *breaker) insideName(i int) bool {
	const most = 3 // particles
	from, to := i, i+1
	for from > 0 && i-from < most && b.tokens[from].particle && b.tokens[from].open {
		from--
	}
	for to+1 < len(b.tokens) && to-i <= most && b.tokens[to].particle && b.tokens[to].open {
		to++
	}
	first, last := &b.tokens[from], &b.tokens[to]
	return to-from > 1 && b.small.capitalsName && first.capital && first.open && last.capital && (!b.small.nounsAreCapital || first.given)
}

func resize(s []int, n int) []int {
	if cap(s) < n {
		return make([]int, n)
	}
	return s[:n]
}

// room returns the columns of the first line, and the number of lines, of a cue that begins with word i.
func (b *breaker) room(name string, i int, lead lead) (first, lines int) {
	if lead == leadNone || lead == leadFirst && i > 0 {
		return b.o.Columns, b.o.Lines
	}
	if ownLine(name, b.tokens[i].columns, b.o) {
		return b.o.Columns, b.o.Lines - 1
	}
	return b.o.Columns - displayWidth(prefixOf(name)), b.o.Lines
}

// together reports whether words i to j-1 may be in one cue. Closing punctuation may: it never waits for its own time.
func (b *breaker) together(i, j int) bool {
	last := &b.tokens[j-1]
	return j == i+1 || last.closes() || !last.late && last.End-b.tokens[i].Start <= b.o.MaxDuration
}

// columns returns the width of words i to j-1 in one line.
func (b *breaker) columns(i, j int) int {
	w := b.width[j] - b.width[i]
	if b.tokens[i].gap != "" {
		w--
	}
	return w
}

func (b *breaker) fits(i, j, columns int) bool { return j == i+1 || b.columns(i, j) <= columns }
