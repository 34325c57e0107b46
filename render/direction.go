package render

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/language"
	"golang.org/x/text/unicode/bidi"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// rightToLeft reports whether words are set from right to left: their language is, or most of their letters are. The first letter, which
// decides in UAX #9 where nothing else does, is often that of a foreign name.
func rightToLeft(words []transcript.Word, l transcript.Language) bool {
	if writtenLeft(l) {
		return true
	}
	right, left := 0, 0
	for _, w := range words {
		r, l := directions(w.Text)
		right, left = right+r, left+l
	}
	return right > left
}

// writtenLeft reports whether a language is written from right to left.
func writtenLeft(l transcript.Language) bool {
	tag, err := language.Parse(string(l))
	script, _ := tag.Script()
	return err == nil && slices.Contains([]string{"Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"}, script.String())
}

// toLeft reports whether most of what is said in the window is read from right to left, and mixed whether any letter of it is.
func (r Request) toLeft() (toLeft, mixed bool) {
	right, left := 0, 0
	for _, w := range r.Words {
		if w.Start < r.Window.End && w.End > r.Window.Start {
			r, l := directions(w.Text)
			right, left = right+r, left+l
		}
	}
	return right > left || writtenLeft(r.Language), right > 0
}

// directions returns how many letters of a text are written from right to left, and how many from left to right.
func directions(text string) (right, left int) {
	for _, r := range text {
		switch class, _ := bidi.LookupRune(r); class.Class() {
		case bidi.R, bidi.AL:
			right++
		case bidi.L:
			left++
		}
	}
	return right, left
}

// startsRight reports whether the first letter of a text is written from right to left.
func startsRight(text string) bool {
	for _, r := range text {
		switch class, _ := bidi.LookupRune(r); class.Class() {
		case bidi.R, bidi.AL:
			return true
		case bidi.L:
			return false
		}
	}
	return false
}

// Invisible characters that a text takes its direction from.
const toLeftMark, toRightMark = "\u200f", "\u200e"

// directionMark returns the invisible character that gives a line its direction, or "" if it has that without one: libass takes the direction
// from the first letter. A line of foreign words only has that of its text, so that its full stop is at the end.
func directionMark(line string, toLeft bool) string {
	right, left := directions(line)
	switch {
	case startsRight(line) == toLeft, right > 0 && left == 0:
		return ""
	case toLeft:
		return toLeftMark
	}
	return toRightMark
}

// directed returns a line of a title with the invisible characters that give it its direction.
func directed(line string, toLeft bool) string {
	mark := directionMark(line, toLeft)
	if toLeft {
		line = balanced([]string{line})[0]
	}
	return mark + line
}

// titleToLeft reports whether a title is read from right to left: most of its letters are.
func titleToLeft(title string) bool {
	right, left := directions(title)
	return right > left
}

// balanced returns the words of a line that is read from right to left with the invisible characters that keep its brackets together, which
// libass doesn't do.
func balanced(words []string) []string {
	toLeft := directionsToLeft(words)
	var all []string
	at := 0
	for _, w := range words {
		var b strings.Builder
		for _, r := range w {
			foreign := !toLeft[at] && !hasDirection(r)
			if foreign && (at == 0 || toLeft[at-1]) {
				b.WriteString(toRightMark)
			}
			b.WriteRune(r)
			if at++; foreign && (at == len(toLeft) || toLeft[at]) {
				b.WriteString(toRightMark)
			}
		}
		all = append(all, b.String())
		at++
	}
	return all
}

// alone returns the words of a line that is read from right to left with the invisible characters that they need where each is drawn alone.
// The full stop of a foreign word is on its left. That of several foreign words would be on the left of the first: it stays with the last.
func alone(words []string) []string {
	toLeft := directionsToLeft(words)
	marked := balanced(words)
	at := 0
	for i, w := range words {
		to := at + utf8.RuneCountInString(w)
		right, _ := directions(w)
		several := at > 0 && !toLeft[at-1] || to < len(toLeft) && !toLeft[to]
		if right > 0 || several || !slices.Contains(toLeft[at:to], true) {
			marked[i] = w
		} else {
			marked[i] = toLeftMark + marked[i]
		}
		at = to + 1
	}
	return marked
}

// directionsToLeft says for each code point of a line that is read from right to left whether it is read in the direction of the line. A bracket
// that opens among foreign words closes in their direction, too (UAX #9, N0, which package bidi leaves out).
func directionsToLeft(words []string) []bool {
	line := []rune(strings.Join(words, " "))
	toLeft := slices.Repeat([]bool{true}, len(line))
	if runs, ok := runsToLeft(words); ok {
		for i := range runs.NumRuns() {
			run := runs.Run(i)
			from, to := run.Pos()
			for at := max(from, 0); at <= min(to, len(toLeft)-1); at++ {
				toLeft[at] = run.Direction() == bidi.RightToLeft
			}
		}
	}
	var open []int
	for at, r := range line {
		p, _ := bidi.LookupRune(r)
		switch {
		case p.IsOpeningBracket():
			open = append(open, at)
		case p.IsBracket() && len(open) > 0:
			toLeft[at] = toLeft[at] && toLeft[open[len(open)-1]]
			open = open[:len(open)-1]
		}
	}
	return toLeft
}

// runsToLeft returns the runs of a line that is read from right to left. A line has no line break, so ok is always true.
func runsToLeft(words []string) (runs bidi.Ordering, ok bool) {
	var p bidi.Paragraph
	_, err := p.SetString(strings.Join(words, " "), bidi.DefaultDirection(bidi.RightToLeft))
	runs, failed := p.Order()
	return runs, err == nil && failed == nil && runs.NumRuns() > 0
}

// visualOrder returns the indices of the words of a line from left to right, as Unicode's bidirectional algorithm (UAX #9) orders them.
// toLeft is the direction of the line.
func visualOrder(words []string, toLeft bool) (order []int) {
	if toLeft {
		return orderToLeft(words)
	}
	for i := 0; i < len(words); {
		n := lengthToLeft(words[i:])
		if n == 0 {
			order, i = append(order, i), i+1
			continue
		}
		for _, j := range orderToLeft(words[i : i+n]) {
			order = append(order, i+j)
		}
		i += n
	}
	return order
}

// lengthToLeft returns how many words from the first on are read from right to left in a line of the other direction: up to the next word that
// isn't, with the numbers that follow them.
func lengthToLeft(words []string) (n int) {
	for i, w := range words {
		right, left := directions(w)
		switch {
		case left > 0 && !startsRight(w), i == 0 && right == 0:
			return n
		case right > 0 || isNumber(w):
			n = i + 1
		}
	}
	return n
}

// isNumber reports whether a word has digits.
func isNumber(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool {
		p, _ := bidi.LookupRune(r)
		return p.Class() == bidi.EN || p.Class() == bidi.AN
	})
}

// orderToLeft returns the indices of the words of a line that is read from right to left, from left to right.
func orderToLeft(words []string) (order []int) {
	runs, ok := runsToLeft(words)
	if !ok {
		for i := range words {
			order = append(order, len(words)-1-i)
		}
		return order
	}
	runOf, n := make([]int, len(words)), 0 // in code points, as bidi counts
	for i, w := range words {
		at := n + utf8.RuneCountInString(w[:max(strings.IndexFunc(w, hasDirection), 0)])
		for runOf[i] = range runs.NumRuns() {
			run := runs.Run(runOf[i])
			if _, to := run.Pos(); to >= at {
				break
			}
		}
		n += utf8.RuneCountInString(w) + 1
	}
	for to := len(words); to > 0; {
		from := to - 1
		run := runs.Run(runOf[from])
		for run.Direction() == bidi.LeftToRight && from > 0 && runOf[from-1] == runOf[from] {
			from--
		}
		for i := from; i < to; i++ {
			order = append(order, i)
		}
		to = from
	}
	return order
}

// hasDirection reports whether a character is a letter or a digit, which have a direction of their own.
func hasDirection(r rune) bool {
	p, _ := bidi.LookupRune(r)
	switch p.Class() {
	case bidi.L, bidi.R, bidi.AL, bidi.EN, bidi.AN:
		return true
	}
	return false
}
