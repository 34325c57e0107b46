package typeset

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-text/typesetting/bidi"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Line is one line of text in visual order.
type Line struct {
	Glyphs []Placed
	Width  float64 // in thousandths of an em, without trailing spaces
	RTL    bool    // starts at the right
}

// Lines breaks text into lines no wider than width, in thousandths of an em, at the opportunities of UAX #14; Korean breaks
// only at spaces, and Thai and its like also before a syllable. Text that is wider without an opportunity breaks between clusters.
func (s *Setter) Lines(text string, w Weight, width float64) ([]Line, error) {
	text = strings.ToValidUTF8(text, "\uFFFD")
	runes := []rune(text)
	rtl := isRightToLeft(runes)
	levels := s.levelsOf(runes, rtl)
	pieces := s.pieces(text, runes)
	all := make([]segment, 0, len(pieces))
	var ends []int // of the lines, in all
	used := 0.0    // width of the line with trailing spaces
	flush := func() {
		if n := len(ends); len(all) > 0 && (n == 0 || ends[n-1] < len(all)) {
			ends = append(ends, len(all))
		}
		used = 0
	}
	for _, piece := range pieces {
		var own []bidi.Level
		if levels != nil {
			n := utf8.RuneCountInString(piece)
			own, levels = levels[:n], levels[n:]
		}
		g := s.shape(piece, own, w)
		if used > 0 && used+g.width-g.spaces > width {
			flush()
		}
		for g.width-g.spaces > width && len(g.glyphs) > 1 {
			head, rest := s.cut(g, w, width)
			all = append(all, head)
			flush()
			g = rest
		}
		all = append(all, g)
		used += g.width
	}
	flush()
	fillLast(all, ends, width)
	lines := make([]Line, len(ends))
	start := 0
	for i, end := range ends {
		lines[i] = s.newLine(all[start:end], w, rtl)
		start = end
	}
	return lines, s.err
}

// shortest is how wide the last line of several should at least be: a few letters alone look like a mistake.
const shortest = 3 * em

// fillLast moves pieces from the last line but one to the last line while that one is too short, and shorter than what remains.
func fillLast(all []segment, ends []int, width float64) {
	n := len(ends)
	if n < 2 {
		return
	}
	first := 0 // of the last line but one
	if n > 2 {
		first = ends[n-3]
	}
	for last := widthOf(all[ends[n-2]:]); last < shortest && ends[n-2]-1 > first; ends[n-2]-- {
		last += all[ends[n-2]-1].width
		if last > width || last > widthOf(all[first:ends[n-2]-1]) {
			return
		}
	}
}

// pieces splits text where lines may break.
func (s *Setter) pieces(text string, runes []rune) []string {
	pieces := make([]string, 0, len(text)/6+1)
	s.segments.Init(runes)
	start, at := 0, 0 // bytes
	for it := s.segments.LineIterator(); it.Next(); {
		line := it.Line()
		for i, r := range line.Text {
			if i > 0 && r >= 0xe00 && transcript.BeginsSyllable(line.Text, i) {
				pieces = append(pieces, text[start:at])
				start = at
			}
			at += utf8.RuneLen(r)
		}
		end := line.Offset + len(line.Text)
		if end < len(runes) && unicode.Is(unicode.Hangul, runes[end]) && keepsHangul(runes[end-1]) {
			continue
		}
		pieces = append(pieces, text[start:at])
		start = at
	}
	return pieces
}

// keepsHangul reports whether Hangul after r stays on its line: Korean breaks between words, not syllables.
func keepsHangul(r rune) bool {
	return unicode.Is(unicode.Hangul, r) || unicode.IsDigit(r) || r < 0x250 && unicode.IsLetter(r)
}

// cut splits a segment before the first glyph that doesn't fit, or before the last one there that tears no syllable. The head has at
// least one glyph.
func (s *Setter) cut(g segment, w Weight, width float64) (head, rest segment) {
	used, n := 0.0, 0
	for n < len(g.glyphs)-1 && (n == 0 || used+float64(g.glyphs[n].Advance) <= width) {
		used += float64(g.glyphs[n].Advance)
		n++
	}
	fits := n
	for n > 1 && s.tearsSyllable(g, n, w) {
		n--
	}
	if s.tearsSyllable(g, n, w) {
		n = fits // one syllable is wider than the line
	}
	for _, p := range g.glyphs[n:fits] {
		used -= float64(p.Advance)
	}
	return segment{glyphs: g.glyphs[:n], width: used}, segment{glyphs: g.glyphs[n:], width: g.width - used, spaces: g.spaces}
}

// tearsSyllable reports whether a line that breaks before a glyph of a segment takes a syllable of Thai or its like apart.
func (s *Setter) tearsSyllable(g segment, n int, w Weight) bool {
	glyphs := s.styles[w].glyphs
	before, _ := utf8.DecodeLastRuneInString(glyphs[g.glyphs[n-1].Code].Text)
	near := []rune{before}
	for _, p := range g.glyphs[n:min(n+4, len(g.glyphs))] {
		near = append(near, []rune(glyphs[p.Code].Text)...)
	}
	return len(near) > 1 && transcript.TearsSyllable(near, 1)
}

// newLine puts segments into a line.
func (s *Setter) newLine(segments []segment, w Weight, rtl bool) Line {
	n := 0
	for _, g := range segments {
		n += len(g.glyphs)
	}
	line := Line{Glyphs: make([]Placed, 0, n), Width: widthOf(segments), RTL: rtl}
	for _, g := range segments {
		line.Glyphs = append(line.Glyphs, g.glyphs...)
	}
	if rtl || slices.ContainsFunc(line.Glyphs, func(g Placed) bool { return g.level > 0 }) {
		s.reorder(line.Glyphs, w, rtl)
	}
	return line
}

// widthOf returns the width of segments without the trailing spaces.
func widthOf(segments []segment) float64 {
	width := -segments[len(segments)-1].spaces
	for _, g := range segments {
		width += g.width
	}
	return width
}
