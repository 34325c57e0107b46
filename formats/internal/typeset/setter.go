package typeset

import (
	"fmt"

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
	styles   [weights]style
	missing  int
	err      error
}

// style is the state of one weight.
type style struct {
	faces   map[*font.Font]*font.Face
	numbers map[*font.Face]int
	fonts   map[rune]fontMatch
	cache   map[string]segment
	codes   map[string]uint16
	glyphs  []Glyph
}

// New returns a Setter for a document in a language, "" if unknown.
func New(fonts *Fonts, lang string) *Setter {
	s := &Setter{fonts: fonts, lang: lang, langTag: language.NewLanguage(lang)}
	for w := range s.styles {
		s.styles[w] = style{
			faces: map[*font.Font]*font.Face{}, numbers: map[*font.Face]int{}, fonts: map[rune]fontMatch{}, cache: map[string]segment{}, codes: map[string]uint16{},
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
	Code    uint16  // index into Glyphs
	Fake    bool    // embolden it, since its font isn't bold
	Advance float32 // to the next one, in thousandths of an em
}

// segment is shaped text between two line break opportunities.
type segment struct {
	glyphs []Placed
	width  float64 // with trailing spaces
	spaces float64 // width of the trailing spaces
	tail   int     // number of glyphs of the trailing spaces
	rtl    bool
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

// shape shapes a piece of text and caches the result.
func (s *Setter) shape(text string, w Weight) segment {
	st := &s.styles[w]
	if g, ok := st.cache[text]; ok {
		return g
	}
	runes := []rune(text)
	g := segment{rtl: isRightToLeft(runes)}
	runs := s.itemize(runes, w)
	for i := range runs {
		run := runs[i]
		if g.rtl {
			run = runs[len(runs)-1-i]
		}
		g.glyphs = append(g.glyphs, s.shapeRun(runes, run, w, g.rtl)...)
	}
	for _, p := range g.glyphs {
		g.width += float64(p.Advance)
	}
	for i := range g.glyphs {
		p := g.glyphs[len(g.glyphs)-1-i]
		if g.rtl {
			p = g.glyphs[i]
		}
		if st.glyphs[p.Code].Text != " " {
			break
		}
		g.spaces += float64(p.Advance)
		g.tail++
	}
	st.cache[text] = g
	return g
}

// shapeRun shapes text of one font and script.
func (s *Setter) shapeRun(text []rune, r run, w Weight, rtl bool) []Placed {
	if r.font.font == nil {
		return s.placeSubstitutes(text[r.start:r.end], w)
	}
	st := &s.styles[w]
	face := st.faces[r.font.font]
	if face == nil {
		face = font.NewFace(r.font.font)
		st.faces[r.font.font] = face
	}
	direction := di.DirectionLTR
	if rtl {
		direction = di.DirectionRTL
	}
	out := s.shaper.ShapeNoExtents(shaping.Input{
		Text: text, RunStart: r.start, RunEnd: r.end, Direction: direction, Face: face, Size: fixed.I(em), Script: r.script, Language: s.langTag,
	})
	return s.place(out, text, w, r.font.fakeBold)
}
