package render

import (
	"strings"
	"time"
	"unicode"

	"github.com/rivo/uniseg"
	"golang.org/x/text/width"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// displayWidth returns the width of text in columns.
func displayWidth(text string) int {
	n := 0
	for _, r := range text {
		switch kind := width.LookupRune(r).Kind(); {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case kind == width.EastAsianWide, kind == width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}

// breakable splits words wider than columns at line break opportunities (UAX #14), in languages without spaces, where a word
// can be a whole sentence. The parts share the word's time in proportion to their width.
func breakable(words []transcript.Word, language transcript.Language, columns int) []transcript.Word {
	if language.Spaced() {
		return words
	}
	var all []transcript.Word
	for _, w := range words {
		total := displayWidth(w.Text)
		if total <= columns {
			all = append(all, w)
			continue
		}
		start, done, state := w.Start, 0, -1
		for rest := w.Text; rest != ""; {
			part := w
			part.Text, rest, _, state = uniseg.FirstLineSegmentInString(rest, state)
			done += displayWidth(part.Text)
			part.Start, part.End = start, w.Start+(w.End-w.Start)*time.Duration(done)/time.Duration(max(total, 1))
			part.Text, start = strings.TrimSpace(part.Text), part.End
			all = append(all, part)
		}
	}
	return all
}
