package typeset

import (
	"fmt"
	"slices"

	"github.com/go-text/typesetting/bidi"
	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/segmenter"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
)

// em is the size at which text is shaped, so measures are in thousandths of an em.
const em = 1000

// Setter typesets the text of one document and collects the glyphs that it needs. Not safe for concurrent use.
type Setter struct {
	fonts    *Fonts
	lang     string
	langTag  language.Language
	shaper   shaping.HarfbuzzShaper
	segments segmenter.Segmenter
	bidi     bidi.Paragraph
	styles   [weights]style
	missing  int
	err      error
}

// style is the state of one weight.
type style struct {
	faces   map[*font.Font]*font.Face
	numbers map[*font.Face]int
	fonts   map[rune]fontMatch
	cache   map[shaped]segment
	codes   map[string]uint16
	glyphs  []Glyph
}

// New returns a Setter for a document in a language, "" if unknown.
func New(fonts *Fonts, lang string) *Setter {
	s := &Setter{fonts: fonts, lang: lang, langTag: language.NewLanguage(lang)}
	for w := range s.styles {
		s.styles[w] = style{
			faces: map[*font.Font]*font.Face{}, numbers: map[*font.Face]int{}, fonts: map[rune]fontMatch{}, cache: map[shaped]segment{}, codes: map[string]uint16{},
			glyphs: []Glyph{{}}, // .notdef
		}
	}
	return s
}

// Glyph is what one code draws: all glyphs of a cluster.
type Glyph struct {
	Text       string // the text to copy and search
	Width      int    // in thousandths of an em
	face       *font.Face
	parts      []part
	substitute substitute // drawn instead of parts if there is no font
}

// part is a positioned glyph in a cluster.
type part struct {
	id   font.GID
	x, y int
}

// Placed is a glyph in a line.
type Placed struct {
	Code    uint16 // index into Glyphs
	Fake    bool   // embolden it, since its font isn't bold
	level   bidi.Level
	Advance float32 // to the next one, in thousandths of an em
}

// segment is shaped text between two line break opportunities.
type segment struct {
	glyphs []Placed // in the order of the text
	width  float64  // with trailing spaces
	spaces float64  // width of the trailing spaces
}

// shaped is text of one embedding level.
type shaped struct {
	text  string
	level bidi.Level
}

// Glyphs returns the glyphs of a weight, indexed by code. Code 0 draws nothing.
func (s *Setter) Glyphs(w Weight) []Glyph { return s.styles[w].glyphs }

// Missing returns the number of clusters set without the right glyph. Repeated pieces of text count once.
func (s *Setter) Missing() int { return s.missing }

// MissingError reports text that can't be drawn, and what to install.
type MissingError struct {
	Script string // "Devanagari"
	Sample rune   // the first character that no font has
	Debian string // Debian package with a font
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("no font for %s (%U)", e.Script, e.Sample)
}

// shape shapes a piece of text. levels are the embedding levels of its characters, or nil if all are 0.
func (s *Setter) shape(text string, levels []bidi.Level, w Weight) segment {
	if len(levels) == 0 {
		return s.shapeLevel(shaped{text, 0}, w)
	}
	var whole segment
	start, at := 0, 0 // bytes, characters
	for i := range text {
		if i > start && levels[at] != levels[at-1] {
			whole = whole.join(s.shapeLevel(shaped{text[start:i], levels[at-1]}, w))
			start = i
		}
		at++
	}
	return whole.join(s.shapeLevel(shaped{text[start:], levels[at-1]}, w))
}

// join returns a segment with another one after it.
func (g segment) join(next segment) segment {
	if len(g.glyphs) == 0 {
		return next
	}
	if next.spaces == next.width {
		next.spaces += g.spaces
	}
	return segment{slices.Concat(g.glyphs, next.glyphs), g.width + next.width, next.spaces}
}

// shapeLevel shapes text of one embedding level and caches the result.
func (s *Setter) shapeLevel(t shaped, w Weight) segment {
	st := &s.styles[w]
	if g, ok := st.cache[t]; ok {
		return g
	}
	runes := []rune(t.text)
	var g segment
	for _, run := range s.itemize(runes, w) {
		g.glyphs = append(g.glyphs, s.shapeRun(runes, run, w, t.level)...)
	}
	for _, p := range g.glyphs {
		g.width += float64(p.Advance)
	}
	for _, p := range slices.Backward(g.glyphs) {
		if st.glyphs[p.Code].Text != " " {
			break
		}
		g.spaces += float64(p.Advance)
	}
	st.cache[t] = g
	return g
}

// shapeRun shapes text of one font, script, and level. The glyphs are in the order of the text.
func (s *Setter) shapeRun(text []rune, r run, w Weight, level bidi.Level) []Placed {
	if r.font.font == nil {
		return s.placeSubstitutes(text[r.start:r.end], w, level)
	}
	st := &s.styles[w]
	face := st.faces[r.font.font]
	if face == nil {
		face = font.NewFace(r.font.font)
		st.faces[r.font.font] = face
	}
	direction := di.DirectionLTR
	if level%2 == 1 {
		direction = di.DirectionRTL
	}
	out := s.shaper.ShapeNoExtents(shaping.Input{
		Text: text, RunStart: r.start, RunEnd: r.end, Direction: direction, Face: face, Size: fixed.I(em), Script: r.script, Language: s.langTag,
	})
	placed := s.place(out, text, w, r.font.fakeBold)
	if level == 0 {
		return placed
	}
	for i := range placed {
		placed[i].level = level
	}
	if direction == di.DirectionRTL {
		slices.Reverse(placed)
	}
	return placed
}
