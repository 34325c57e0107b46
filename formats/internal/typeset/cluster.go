package typeset

import (
	"encoding/binary"
	"math"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
)

// place gives each cluster of shaped text a code. Equal clusters share a code.
func (s *Setter) place(out shaping.Output, text []rune, w Weight, fake bool) []Placed {
	placed := make([]Placed, 0, len(out.Glyphs))
	for i := 0; i < len(out.Glyphs); {
		first := out.Glyphs[i]
		j := i + 1
		for j < len(out.Glyphs) && out.Glyphs[j].TextIndex() == first.TextIndex() {
			j++
		}
		start := first.TextIndex()
		g := Glyph{Text: string(text[start : start+first.RunesCount()]), face: out.Face}
		x, advance := fixed.Int26_6(0), fixed.Int26_6(0)
		for _, glyph := range out.Glyphs[i:j] {
			if glyph.GlyphID == 0 {
				s.missing++ // a mark that the base's font lacks: showing nothing is better than the font's box
			} else {
				g.parts = append(g.parts, part{glyph.GlyphID, round(x + glyph.XOffset), round(glyph.YOffset)})
			}
			x += glyph.Advance
			advance += glyph.Advance
		}
		// A single glyph has the font's width, so that kerning doesn't create extra codes.
		g.Width = round(advance)
		if len(g.parts) == 1 && j == i+1 {
			g.Width = int(math.Round(float64(out.Face.HorizontalAdvance(g.parts[0].id)) * em / float64(out.Face.Upem())))
		}
		if len(g.parts) == 0 {
			g.substitute = ringSubstitute
		}
		placed = append(placed, Placed{Code: s.code(g, w), Advance: float32(advance) / 64, Fake: fake})
		i = j
	}
	return placed
}

func round(v fixed.Int26_6) int { return int(math.Round(float64(v) / 64)) }

// code returns the code of a glyph, and adds the glyph if it is new.
func (s *Setter) code(g Glyph, w Weight) uint16 {
	st := &s.styles[w]
	key := make([]byte, 0, 64)
	key = binary.LittleEndian.AppendUint32(key, uint32(st.number(g.face)))
	key = append(key, byte(g.substitute))
	for _, p := range g.parts {
		key = binary.LittleEndian.AppendUint32(key, uint32(p.id))
		key = binary.LittleEndian.AppendUint32(key, uint32(int32(p.x)<<16)|uint32(uint16(p.y)))
	}
	key = append(append(key, 0xff), g.Text...)
	if code, ok := st.codes[string(key)]; ok {
		return code
	}
	if len(st.glyphs) > maxCode {
		return 0 // the limit of a document; further glyphs aren't drawn
	}
	code := uint16(len(st.glyphs))
	st.glyphs = append(st.glyphs, g)
	st.codes[string(key)] = code
	return code
}

// number numbers faces from 1.
func (st *style) number(face *font.Face) int {
	n, ok := st.numbers[face]
	if !ok {
		n = len(st.numbers) + 1
		st.numbers[face] = n
	}
	return n
}

// maxCode is the last code that fits two bytes.
const maxCode = 65_534
