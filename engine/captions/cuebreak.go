package captions

import (
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// breaker finds the cheapest way to break an utterance into cues and lines, by dynamic programming over its words. best[j] is the cost of
// the cheapest cues with the first j words, and from[j] is where the last of those cues begins.
type breaker struct {
	o        Options
	language transcript.Language
	small    *vocabulary
	facts    map[string]*wordFacts
	tokens   []token
	gaps     []string // before each of the tokens' words
	keep     bool     // the tokens of earlier utterances are still needed
	width    []int    // of the first i words with the spaces before them
	chars    []int    // in the first i words
	words    []int    // how many of the first i words are not just punctuation
	ended    []int    // how many of the first i words end a sentence
	ends     []int    // what a cue costs that ends with the first i words
	best     []int
	from     []int
}

func newBreaker(o Options, language transcript.Language) *breaker {
	return &breaker{o: o, language: language, small: vocabularyOf(language), facts: map[string]*wordFacts{}}
}

// append adds the cues of one utterance. Each lasts from the start of its first word to the end of its last.
func (b *breaker) append(cues []Cue, u Utterance, lead lead) []Cue {
	b.setTokens(u)
	return b.appendTokens(cues, u, lead)
}

// rebreak breaks a cue again into cues that each have room for a prefix, and adds them.
func (b *breaker) rebreak(cues []Cue, c Cue) []Cue {
	b.tokens = c.tokens
	first := len(cues)
	cues = b.appendTokens(cues, Utterance{Label: c.Label, Name: c.Speaker}, leadEvery)
	cues[first].Start = c.Start
	last := &cues[len(cues)-1]
	last.End = max(min(last.End, c.End), last.Start+time.Millisecond)
	return cues
}

func (b *breaker) appendTokens(cues []Cue, u Utterance, lead lead) []Cue {
	b.measure()
	n := len(b.tokens)
	for i := range n {
		first, lines := b.room(u.Name, i, lead)
		for j := i + 1; j <= n && b.together(i, j); j++ {
			if b.columns(i, j) >= (b.o.Columns+1)*lines && j > i+lines {
				break // more words than fit any lines
			}
			if b.o.Words > 0 && j > i+1 && b.words[j]-b.words[i] > b.o.mostWords() {
				break
			}
			cost := b.best[i] + b.ends[j]
			if b.from[j] >= 0 && cost >= b.best[j] {
				continue // the rest doesn't matter
			}
			if cost += b.cueCost(i, j); b.from[j] >= 0 && cost >= b.best[j] {
				continue // its lines don't matter
			}
			layout, ok := b.layoutCost(i, j, first, lines)
			if !ok {
				break
			}
			if cost += layout; b.from[j] < 0 || cost < b.best[j] {
				b.best[j], b.from[j] = cost, i
			}
		}
	}
	var ends []int
	for j := n; j > 0; j = b.from[j] {
		ends = append(ends, j)
	}
	for i, k := 0, len(ends)-1; k >= 0; i, k = ends[k], k-1 {
		first, lines := b.room(u.Name, i, lead)
		c := b.cue(u, i, ends[k], first, lines)
		if b.keep {
			c.tokens = b.tokens[i:ends[k]]
		}
		c.roomy = lead == leadEvery || lead == leadFirst && i == 0
		cues = append(cues, c)
	}
	return cues
}

// measure computes prefix sums, so that any question about a run of words takes constant time.
func (b *breaker) measure() {
	n := len(b.tokens)
	b.width, b.chars = resize(b.width, n+1), resize(b.chars, n+1)
	b.words, b.ended, b.ends = resize(b.words, n+1), resize(b.ended, n+1), resize(b.ends, n+1)
	b.best, b.from = resize(b.best, n+1), resize(b.from, n+1)
	b.width[0], b.chars[0], b.best[0], b.words[0], b.ended[0] = 0, 0, 0, 0, 0
	b.small.capitalsName = b.capitalsName()
	for i := range b.tokens {
		t := &b.tokens[i]
		if i+1 < n {
			t.cost = b.costAfter(i)
		}
		space, word, end := 0, 1, 0
		if t.gap != "" {
			space = 1
		}
		if t.mark || t.part || t.initial {
			word = 0
		}
		if t.sentence && t.cost == costSentence {
			end = 1
		}
		b.width[i+1] = b.width[i] + t.columns + space
		b.chars[i+1] = b.chars[i] + t.chars + space
		b.words[i+1] = b.words[i] + word
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
	if next.inside && cost > costClause {
		return max(cost, costBound)
	}
	return cost
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
	if j == i+1 || last.closes() {
		return true
	}
	before := j - 2
	for before > i && b.tokens[before].closes() {
		before--
	}
	return last.Start-b.tokens[before].End <= b.o.MaxPause && last.End-b.tokens[i].Start <= b.o.MaxDuration
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

// cue returns the cue of words i to j-1.
func (b *breaker) cue(u Utterance, i, j, first, lines int) Cue {
	c := Cue{Start: b.tokens[i].Start, Label: u.Label, Speaker: u.Name}
	for i < j {
		_, end, _ := b.splitLine(i, j, first, lines)
		var text strings.Builder
		words := make([]transcript.Word, 0, end-i)
		for k := range b.tokens[i:end] {
			t := &b.tokens[i+k]
			if k > 0 {
				text.WriteString(t.gap)
			}
			text.WriteString(t.Text)
			words = append(words, t.Word)
			if c.End == 0 || !t.closes() {
				c.End = max(c.End, t.End)
			}
		}
		c.Lines = append(c.Lines, Line{Text: text.String(), Words: words})
		i, first, lines = end, b.o.Columns, lines-1
	}
	return c
}
