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
	small    phrases
	facts    map[string]*wordFacts
	tokens   []token
	width    []int // of the first i words with the spaces before them
	chars    []int // in the first i words
	best     []int
	from     []int
}

func newBreaker(o Options, language transcript.Language) *breaker {
	return &breaker{o: o, language: language, small: phrasesOf(language), facts: map[string]*wordFacts{}}
}

// append adds the cues of one utterance. Each lasts from the start of its first word to the end of its last.
func (b *breaker) append(cues []Cue, u Utterance, lead lead) []Cue {
	b.setTokens(u)
	return b.appendTokens(cues, u, lead)
}

// rebreak breaks a cue again into cues that each have room for a prefix, and adds them.
func (b *breaker) rebreak(cues []Cue, c Cue) []Cue {
	b.tokens = b.tokens[:0]
	for _, l := range c.Lines {
		for _, w := range l.Words {
			b.tokens = append(b.tokens, b.token(w))
		}
	}
	setSpaces(b.tokens, b.language)
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
			cost := b.best[i] + b.cueCost(i, j)
			if b.from[j] >= 0 && cost >= b.best[j] {
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
		c.roomy = lead == leadEvery || lead == leadFirst && i == 0
		cues = append(cues, c)
	}
	return cues
}

// measure computes prefix sums, so that any question about a run of words takes constant time.
func (b *breaker) measure() {
	n := len(b.tokens)
	b.width, b.chars = resize(b.width, n+1), resize(b.chars, n+1)
	b.best, b.from = resize(b.best, n+1), resize(b.from, n+1)
	b.width[0], b.chars[0], b.best[0] = 0, 0, 0
	for i := range b.tokens {
		t := &b.tokens[i]
		if i+1 < n {
			t.cost = breakCost(t.wordFacts, b.tokens[i+1].wordFacts)
		}
		space := 0
		if t.space {
			space = 1
		}
		b.width[i+1] = b.width[i] + t.columns + space
		b.chars[i+1] = b.chars[i] + t.chars + space
		b.from[i+1] = -1
	}
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

// together reports whether words i to j-1 may be in one cue.
func (b *breaker) together(i, j int) bool {
	if j == i+1 {
		return true
	}
	return b.tokens[j-1].Start-b.tokens[j-2].End <= b.o.MaxPause && b.tokens[j-1].End-b.tokens[i].Start <= b.o.MaxDuration
}

// columns returns the width of words i to j-1 in one line.
func (b *breaker) columns(i, j int) int {
	w := b.width[j] - b.width[i]
	if b.tokens[i].space {
		w--
	}
	return w
}

func (b *breaker) fits(i, j, columns int) bool { return j == i+1 || b.columns(i, j) <= columns }

// layoutCost returns the cost of the best lines for words i to j-1; ok is false when they don't fit.
func (b *breaker) layoutCost(i, j, first, lines int) (cost int, ok bool) {
	cost, _, ok = b.splitLine(i, j, first, lines)
	return cost, ok
}

// splitLine returns where the first of the best lines for words i to j-1 ends. A single line is best if the words fit.
func (b *breaker) splitLine(i, j, first, lines int) (cost, end int, ok bool) {
	if b.fits(i, j, first) {
		return 0, j, true
	}
	if lines < 2 {
		return 0, 0, false
	}
	for k := i + 1; k < j && b.fits(i, k, first); k++ {
		rest, _, restOK := b.splitLine(k, j, b.o.Columns, lines-1)
		if !restOK {
			continue
		}
		upper, lower := b.columns(i, k)+b.o.Columns-first, min(b.columns(k, j), b.o.Columns)
		diff := upper - lower
		c := rest + b.tokens[k-1].cost/3 + diff*diff*40/(b.o.Columns*b.o.Columns)
		if diff > 0 {
			c += 3 // prefer a shorter upper line: it covers less of the picture
		}
		if !ok || c < cost {
			cost, end, ok = c, k, true
		}
	}
	return cost, end, ok
}

// cueCost returns the cost of words i to j-1 as one cue.
func (b *breaker) cueCost(i, j int) int {
	last := b.tokens[j-1]
	cost := 40
	shown := last.End + b.o.Linger - b.tokens[i].Start
	if j < len(b.tokens) {
		pause := b.tokens[j].Start - last.End
		shown = min(shown, max(b.tokens[j].Start-b.o.Gap-b.tokens[i].Start, time.Millisecond))
		if pause >= 300*time.Millisecond {
			cost += last.cost * 3 / 4
		} else {
			cost += last.cost * 3 / 2
		}
	}
	if shown < b.o.MinDuration {
		lack := float64(b.o.MinDuration-shown) / float64(b.o.MinDuration)
		cost += 80 + int(300*lack*lack)
	}
	speed := float64(b.chars[j]-b.chars[i]) / shown.Seconds()
	if over := speed/b.o.ReadingSpeed - 1; over > 0 {
		cost += int(30 * min(over, 3))
	}
	return cost
}

// cue returns the cue of words i to j-1.
func (b *breaker) cue(u Utterance, i, j, first, lines int) Cue {
	c := Cue{Start: b.tokens[i].Start, Label: u.Label, Speaker: u.Name}
	for i < j {
		_, end, _ := b.splitLine(i, j, first, lines)
		var text strings.Builder
		words := make([]transcript.Word, 0, end-i)
		for k, t := range b.tokens[i:end] {
			if k > 0 && t.space {
				text.WriteByte(' ')
			}
			text.WriteString(t.Text)
			words = append(words, t.Word)
			c.End = max(c.End, t.End)
		}
		c.Lines = append(c.Lines, Line{Text: text.String(), Words: words})
		i, first, lines = end, b.o.Columns, lines-1
	}
	return c
}
