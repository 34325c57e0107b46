package typeset

import (
	"math"

	"github.com/go-text/typesetting/bidi"
	"github.com/go-text/typesetting/font"
	ot "github.com/go-text/typesetting/font/opentype"

	"github.com/soundstage-dev/soundstage/formats/internal/cff"
)

// substitute is drawn for a character that no font has.
type substitute byte

const (
	noSubstitute   substitute = iota
	ringSubstitute            // for symbols and emoji
	getaSubstitute            // 〓, which East Asian printers use for a missing character
)

// placeSubstitutes places substitutes for characters without a font. The characters can still be copied.
func (s *Setter) placeSubstitutes(text []rune, w Weight, level bidi.Level) []Placed {
	s.missing++
	g := Glyph{Text: string(text), Width: em, substitute: ringSubstitute}
	if scriptOf(text[0], s.lang).debian == notoCJK {
		g.substitute = getaSubstitute
	}
	return []Placed{{Code: s.code(g, w), level: level, Advance: em}}
}

// Outline returns the glyph's outline.
func (g Glyph) Outline() cff.Glyph {
	out := cff.Glyph{Width: g.Width}
	switch g.substitute {
	case ringSubstitute:
		out.Contours = []cff.Contour{circle(500, 350, 300, 1), circle(500, 350, 240, -1)}
	case getaSubstitute:
		out.Contours = []cff.Contour{box(100, 80, 900, 300), box(100, 460, 900, 680)}
	}
	for _, p := range g.parts {
		data, ok := g.face.GlyphData(p.id).(font.GlyphOutline)
		if !ok {
			continue
		}
		scale := em / float64(g.face.Upem())
		at := func(q ot.SegmentPoint) cff.Point {
			return cff.Point{X: p.x + int(math.Round(float64(q.X)*scale)), Y: p.y + int(math.Round(float64(q.Y)*scale))}
		}
		var pen ot.SegmentPoint
		for _, seg := range data.Segments {
			if seg.Op == ot.SegmentOpMoveTo {
				out.Contours = append(out.Contours, cff.Contour{Start: at(seg.Args[0])})
				pen = seg.Args[0]
				continue
			}
			if len(out.Contours) == 0 {
				continue
			}
			c := &out.Contours[len(out.Contours)-1]
			switch seg.Op {
			case ot.SegmentOpLineTo:
				c.Steps = append(c.Steps, cff.Step{Points: [3]cff.Point{2: at(seg.Args[0])}})
				pen = seg.Args[0]
			case ot.SegmentOpQuadTo:
				// The same curve as a cubic: its controls are 2/3 of the way to the quadratic's.
				control, end := seg.Args[0], seg.Args[1]
				c.Steps = append(c.Steps, cff.Step{Curve: true, Points: [3]cff.Point{at(toward(pen, control)), at(toward(end, control)), at(end)}})
				pen = end
			case ot.SegmentOpCubeTo:
				c.Steps = append(c.Steps, cff.Step{Curve: true, Points: [3]cff.Point{at(seg.Args[0]), at(seg.Args[1]), at(seg.Args[2])}})
				pen = seg.Args[2]
			}
		}
	}
	return out
}

func toward(from, to ot.SegmentPoint) ot.SegmentPoint {
	return ot.SegmentPoint{X: from.X + (to.X-from.X)*2/3, Y: from.Y + (to.Y-from.Y)*2/3}
}

func box(x0, y0, x1, y1 int) cff.Contour {
	line := func(x, y int) cff.Step { return cff.Step{Points: [3]cff.Point{2: {X: x, Y: y}}} }
	return cff.Contour{Start: cff.Point{X: x0, Y: y0}, Steps: []cff.Step{line(x1, y0), line(x1, y1), line(x0, y1)}}
}

// circle draws four arcs; turn is 1 for anticlockwise and -1 for clockwise.
func circle(x, y, r, turn int) cff.Contour {
	k := int(math.Round(float64(r) * 0.5523)) // control distance of a cubic that approximates an arc
	p := func(dx, dy int) cff.Point { return cff.Point{X: x + dx, Y: y + dy*turn} }
	arc := func(a, b, c cff.Point) cff.Step { return cff.Step{Curve: true, Points: [3]cff.Point{a, b, c}} }
	return cff.Contour{Start: p(r, 0), Steps: []cff.Step{
		arc(p(r, k), p(k, r), p(0, r)), arc(p(-k, r), p(-r, k), p(-r, 0)),
		arc(p(-r, -k), p(-k, -r), p(0, -r)), arc(p(k, -r), p(r, -k), p(r, 0)),
	}}
}
