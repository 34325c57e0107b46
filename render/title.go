package render

import (
	"fmt"
	"math"
	"sort"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// minTitleScale is the smallest scale of a title. A longer title is truncated.
const minTitleScale = 0.7

// writeTitle adds a title that is shown for the whole length.
func writeTitle(s *script, l layout, title string, language transcript.Language, style string, length time.Duration) {
	lines, scale := titleLines(title, l, language)
	if len(lines) == 0 {
		return
	}
	m := markup{language: language, base: baseFont(language), size: l.titleSize * scale, scaled: scale != 1}
	fmt.Fprintf(&m.b, `{\an8\pos(%d,%d)}`, l.canvas.w/2, l.titleTop)
	m.reset()
	for i, line := range lines {
		if i > 0 {
			m.b.WriteString(`\N`)
		}
		m.text(directed(line, titleToLeft(title)))
	}
	s.add(0, 0, length, style, m.b.String())
}

// titleLines breaks a title into at most two lines of about the same width, in the largest letters that fit.
func titleLines(title string, l layout, language transcript.Language) (lines []string, scale float64) {
	if title == "" {
		return nil, 1
	}
	for scale = 1; scale >= minTitleScale-0.001; scale -= 0.1 {
		if lines, ok := twoLines(title, l.room(l.titleSize*scale), language); ok {
			return lines, scale
		}
	}
	scale = minTitleScale
	room := l.room(l.titleSize * scale)
	ends := clusterEnds(title)
	cut := func(n int) string { return strings.TrimRight(title[:ends[n]], " ,;:.-–") + "…" }
	n := sort.Search(len(ends), func(n int) bool { _, ok := twoLines(cut(n), room, language); return !ok })
	if n == 0 {
		return nil, 1
	}
	lines, _ = twoLines(cut(n-1), room, language)
	return lines, scale
}

// shortenedTitle is the note about a title of which only the beginning is shown.
const shortenedTitle = "The title is too long, and was shortened."

// isShortened reports whether the lines of a title lack a part of what was asked. cleaned is the title without what can't be shown.
func isShortened(asked, cleaned string, l layout, language transcript.Language) bool {
	lines, _ := titleLines(cleaned, l, language)
	letters := func(text string) string { return strings.Join(strings.Fields(text), "") }
	return letters(strings.Join(lines, "")) != letters(clean(asked, len(asked)).text)
}

// clusterEnds returns where each character of text ends, in bytes.
func clusterEnds(text string) (ends []int) {
	for at, state := 0, -1; at < len(text); {
		var cluster string
		cluster, _, _, state = uniseg.FirstGraphemeClusterInString(text[at:], state)
		at += len(cluster)
		ends = append(ends, at)
	}
	return ends
}

// twoLines breaks text into one line, or into two lines of similar width, none wider than room ems. ok is false if they
// don't fit. UAX #14 allows breaks inside Korean words; twoLines breaks a language with spaces only at spaces, unless a line
// has none.
func twoLines(text string, room float64, language transcript.Language) (lines []string, ok bool) {
	if textWidth(text) <= room {
		return []string{text}, true
	}
	if lines = bestBreak(text, room, language.Spaced()); lines == nil {
		lines = bestBreak(text, room, false)
	}
	return lines, lines != nil
}

// bestBreak returns the two lines whose wider one is narrowest, or nil if every break exceeds room. It prefers breaks after
// punctuation, and avoids breaks before a Japanese particle.
func bestBreak(text string, room float64, spaces bool) (lines []string) {
	best := math.Inf(1)
	for _, at := range breakPlaces(text, spaces) {
		a, b := strings.TrimSpace(text[:at]), strings.TrimSpace(text[at:])
		width := max(textWidth(a), textWidth(b))
		if b == "" || width > room {
			continue
		}
		last, _ := utf8.DecodeLastRuneInString(a)
		next, _ := utf8.DecodeRuneInString(b)
		switch {
		case unicode.IsPunct(last):
			width *= 0.8
		case unicode.Is(unicode.Hiragana, next) && !unicode.Is(unicode.Hiragana, last):
			width *= 1.25 // this would separate a particle or an ending from its word
		}
		if width < best {
			best, lines = width, []string{a, b}
		}
	}
	return lines
}

// breakPlaces returns where a line may break, in bytes: where UAX #14 allows it, and before syllables of Thai, Lao, and Khmer. If spaces
// is set, only spaces count.
func breakPlaces(text string, spaces bool) (places []int) {
	at, state := 0, -1
	for rest := text; rest != ""; {
		var segment string
		segment, rest, _, state = uniseg.FirstLineSegmentInString(rest, state)
		parts := []string{segment}
		if !spaces {
			parts = syllables(segment)
		}
		for _, part := range parts {
			if at += len(part); !spaces || strings.HasSuffix(part, " ") {
				places = append(places, at)
			}
		}
	}
	return places
}
