package render

import (
	"fmt"
	"strings"
	"time"

	"github.com/rivo/uniseg"

	"github.com/soundstage-dev/soundstage/engine"
)

// minTitleScale is how small a title may become before its end is left out.
const minTitleScale = 0.7

// writeTitle adds a title that is there all the time.
func writeTitle(s *script, l layout, title string, language engine.Language, style string, length time.Duration) {
	lines, scale := titleLines(title, l)
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
		m.text(line)
	}
	s.add(0, 0, length, style, m.b.String())
}

// titleLines breaks a title into at most two lines of about the same width, in letters as large as can be.
func titleLines(title string, l layout) (lines []string, scale float64) {
	if title == "" {
		return nil, 1
	}
	for scale = 1; scale >= minTitleScale-0.001; scale -= 0.1 {
		if lines, ok := twoLines(title, l.room(l.titleSize*scale)); ok {
			return lines, scale
		}
	}
	scale = minTitleScale
	letters := []rune(title)
	for n := len(letters) - 1; n > 0; n-- {
		shorter := strings.TrimRight(string(letters[:n]), " ,;:.-–") + "…"
		if lines, ok := twoLines(shorter, l.room(l.titleSize*scale)); ok {
			return lines, scale
		}
	}
	return nil, 1
}

// twoLines breaks text into one line, or into the two that have the least difference, none wider than room ems. ok is
// false when they would be.
func twoLines(text string, room float64) (lines []string, ok bool) {
	if textWidth(text) <= room {
		return []string{text}, true
	}
	best, first, state := room+1, "", -1
	for rest := text; rest != ""; {
		var segment string
		segment, rest, _, state = uniseg.FirstLineSegmentInString(rest, state)
		first += segment
		a, b := strings.TrimSpace(first), strings.TrimSpace(rest)
		if w := max(textWidth(a), textWidth(b)); b != "" && w <= room && w < best {
			best, lines = w, []string{a, b}
		}
	}
	return lines, lines != nil
}
