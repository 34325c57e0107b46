package render

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/width"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const (
	maxPause = 600 * time.Millisecond // a longer silence ends a caption
	maxHang  = 500 * time.Millisecond // how long a caption stays after its last word
)

// GroupWords is the simplest CueBuilder. It ends a caption at the end of a sentence, before a pause, at a change of speaker,
// or when the caption is full. The lines of a caption have about the same length.
func GroupWords(words []transcript.Word, language transcript.Language, limits CueLimits) []Cue {
	words = breakable(words, language, limits.Columns/2)
	var cues []Cue
	start := 0
	for i, w := range words {
		last := i == len(words)-1
		if !last && !endsCue(w, words[i+1]) && fits(words[start:i+2], language, limits) {
			continue
		}
		c := Cue{Start: words[start].Start, End: w.End + maxHang, Lines: breakLines(words[start:i+1], language, limits)}
		if n := len(cues); n > 0 {
			cues[n-1].End = max(min(cues[n-1].End, c.Start), cues[n-1].Start)
		}
		cues = append(cues, c)
		start = i + 1
	}
	return cues
}

func endsCue(w, next transcript.Word) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(w.Text, `"'”’»)]」』`))
	return next.Start-w.End >= maxPause || next.Speaker != w.Speaker || strings.ContainsRune(".!?…。！？।", last)
}

func fits(words []transcript.Word, language transcript.Language, limits CueLimits) bool {
	return (limits.Words == 0 || len(words) <= limits.Words) && len(breakLines(words, language, limits)) <= limits.Lines
}

// breakLines breaks words into as few lines as possible, and then minimises the longest line.
func breakLines(words []transcript.Word, language transcript.Language, limits CueLimits) [][]transcript.Word {
	lines := fill(words, language, limits.Columns)
	for width := limits.Columns - 1; width > 0 && len(lines) > 1; width-- {
		narrower := fill(words, language, width)
		if len(narrower) > len(lines) || lineWidth(narrower, language) > width {
			break
		}
		lines = narrower
	}
	return lines
}

// fill puts as many words as fit into each line.
func fill(words []transcript.Word, language transcript.Language, columns int) [][]transcript.Word {
	var lines [][]transcript.Word
	start := 0
	for i := range words {
		if i == len(words)-1 || displayWidth(transcript.JoinWords(words[start:i+2], language)) > columns {
			lines = append(lines, words[start:i+1])
			start = i + 1
		}
	}
	return lines
}

func lineWidth(lines [][]transcript.Word, language transcript.Language) int {
	w := 0
	for _, line := range lines {
		w = max(w, displayWidth(transcript.JoinWords(line, language)))
	}
	return w
}

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
