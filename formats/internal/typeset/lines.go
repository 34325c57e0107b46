package typeset

import (
	"slices"
	"unicode"
)

// Line is one line of text in visual order.
type Line struct {
	Glyphs []Placed
	Width  float64 // in thousandths of an em, without trailing spaces
	RTL    bool    // starts at the right
}

// Lines breaks text into lines no wider than width, in thousandths of an em, at the opportunities of UAX #14; Korean breaks
// only at spaces. Text that is wider without an opportunity breaks between clusters.
func (s *Setter) Lines(text string, w Weight, width float64) ([]Line, error) {
	runes := []rune(text)
	rtl := isRightToLeft(runes)
	var lines []Line
	var current []segment
	used := 0.0 // with trailing spaces
	flush := func() {
		if len(current) > 0 {
			lines = append(lines, newLine(current, rtl))
		}
		current, used = current[:0], 0
	}
	for _, piece := range s.pieces(runes) {
		g := s.shape(piece, w)
		if used > 0 && used+g.width-g.spaces > width {
			flush()
		}
		for g.width-g.spaces > width && len(g.glyphs) > 1 {
			head, rest := g.cut(width)
			current = append(current, head)
			flush()
			g = rest
		}
		current = append(current, g)
		used += g.width
	}
	flush()
	return lines, s.err
}

// pieces splits text where lines may break.
func (s *Setter) pieces(text []rune) []string {
	var pieces []string
	s.segments.Init(text)
	start := 0
	for it := s.segments.LineIterator(); it.Next(); {
		line := it.Line()
		end := line.Offset + len(line.Text)
		if end < len(text) && unicode.Is(unicode.Hangul, text[end]) && keepsHangul(text[end-1]) {
			continue
		}
		pieces = append(pieces, string(text[start:end]))
		start = end
	}
	return pieces
}

// keepsHangul reports whether Hangul after r stays on its line: Korean breaks between words, not syllables.
func keepsHangul(r rune) bool {
	return unicode.Is(unicode.Hangul, r) || unicode.IsDigit(r) || r < 0x250 && unicode.IsLetter(r)
}

// cut splits a segment before the first glyph that doesn't fit. The head has at least one glyph.
func (g segment) cut(width float64) (head, rest segment) {
	used, n := 0.0, 0
	for n < len(g.glyphs)-1 && (n == 0 || used+float64(g.glyphs[n].Advance) <= width) {
		used += float64(g.glyphs[n].Advance)
		n++
	}
	head = segment{glyphs: g.glyphs[:n], width: used, rtl: g.rtl}
	return head, segment{glyphs: g.glyphs[n:], width: g.width - used, spaces: g.spaces, tail: g.tail, rtl: g.rtl}
}

// newLine puts segments in visual order: it reverses runs against the paragraph's direction, except for their trailing
// spaces (UAX #9, L1 and L2).
func newLine(segments []segment, rtl bool) Line {
	line := Line{RTL: rtl}
	for i := 0; i < len(segments); {
		j := i + 1
		for j < len(segments) && segments[j].rtl == segments[i].rtl {
			j++
		}
		var stretch []Placed
		for k := i; k < j; k++ {
			if segments[i].rtl {
				stretch = append(segments[k].glyphs[:len(segments[k].glyphs):len(segments[k].glyphs)], stretch...)
			} else {
				stretch = append(stretch, segments[k].glyphs...)
			}
		}
		if n := segments[j-1].tail; n > 0 && segments[i].rtl != rtl {
			if rtl {
				n = len(stretch) - n
			}
			stretch = slices.Concat(stretch[n:], stretch[:n])
		}
		if rtl {
			line.Glyphs = append(stretch, line.Glyphs...)
		} else {
			line.Glyphs = append(line.Glyphs, stretch...)
		}
		i = j
	}
	for _, g := range segments {
		line.Width += g.width
	}
	line.Width -= segments[len(segments)-1].spaces
	return line
}
