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

// em is the size at which text is shaped: all measures are thousandths of it.
const em = 1000

// Setter sets the text of one document. It collects the glyphs that the document needs. Not safe for concurrent use.
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

// style is one weight's state.
type style struct {
	faces   map[*font.Font]*font.Face
	numbers map[*font.Face]int
	fonts   map[rune]answer
	cache   map[string]segment
	codes   map[string]uint16
	glyphs  []Glyph
}

// New returns a Setter for a document in a language, "" when that is not known.
func New(fonts *Fonts, lang string) *Setter {
	s := &Setter{fonts: fonts, lang: lang, langTag: language.NewLanguage(lang)}
	for w := range s.styles {
		s.styles[w] = style{
			faces: map[*font.Font]*font.Face{}, numbers: map[*font.Face]int{}, fonts: map[rune]answer{}, cache: map[string]segment{}, codes: map[string]uint16{},
			glyphs: []Glyph{{}}, // .notdef
		}
	}
	return s
}

// Glyph is what one code draws: the glyphs of a cluster, as one.
type Glyph struct {
	Text  string // what is copied and found
	Width int    // in thousandths of an em
	face  *font.Face
	parts []part
	stand shape // drawn instead of parts when there is no font
}

// part is a glyph of a font at its place in a cluster.
type part struct {
	id   font.GID
	x, y int
}

// Placed is a glyph in a line.
type Placed struct {
	Code    uint16  // index into Glyphs
	Fake    bool    // is to be drawn bolder, since its font isn't bold
	Advance float32 // to the next one, in thousandths of an em
}

// segment is a piece of text between two places where a line may break, shaped.
type segment struct {
	glyphs []Placed
	width  float64 // with the spaces at its end
	spaces float64 // of these
	tail   int     // how many glyphs these are
	rtl    bool
}

// Glyphs returns what a weight's codes draw; code 0 draws nothing.
func (s *Setter) Glyphs(w Weight) []Glyph { return s.styles[w].glyphs }

// Missing returns how many clusters were set without the right glyph, each counted once for each piece of text it is in.
func (s *Setter) Missing() int { return s.missing }

// MissingError says that text can't be drawn, and what to install so that it can.
type MissingError struct {
	Script string // "Devanagari"
	Sample rune   // the first character that no font has
	Debian string // the package with a font
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("no font for %s (%U)", e.Script, e.Sample)
}

// shape shapes a piece of text; the result is kept.
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

// shapeRun shapes characters of one font and script.
func (s *Setter) shapeRun(text []rune, r run, w Weight, rtl bool) []Placed {
	if r.font.font == nil {
		return s.standIns(text[r.start:r.end], w)
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
