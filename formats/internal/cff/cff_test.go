package cff_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/go-text/typesetting/font/cff"
	"github.com/go-text/typesetting/font/opentype/tables"
	"github.com/stretchr/testify/require"

	ours "github.com/soundstage-dev/soundstage/formats/internal/cff"
)

func line(x, y int) ours.Step { return ours.Step{Points: [3]ours.Point{2: {X: x, Y: y}}} }

// An independent reader gets the same outlines back: lines, curves, far points, and more points than fit on the stack.
func TestWrite(t *testing.T) {
	t.Parallel()
	long := ours.Contour{}
	for i := range 100 {
		long.Steps = append(long.Steps, line(i*7, (i%2)*1500-700))
	}
	glyphs := []ours.Glyph{
		{},
		{Width: 600, Contours: []ours.Contour{{Start: ours.Point{X: 10, Y: -20}, Steps: []ours.Step{
			line(2000, 3000),
			{Curve: true, Points: [3]ours.Point{{X: 1, Y: 2}, {X: -300, Y: 400}, {X: -1500, Y: -1600}}},
			line(0, 0),
		}}}},
		{Width: 1000, Contours: []ours.Contour{long, long}},
	}
	b := ours.Write("Test", [4]int{-1, -2, 3, 4}, glyphs)
	font, err := cff.Parse(b)
	require.NoError(t, err)
	require.Len(t, font.Charstrings, 3)
	for i, g := range glyphs {
		segments, _, err := font.LoadGlyph(tables.GlyphID(i))
		require.NoError(t, err)
		n := 0
		for _, c := range g.Contours {
			require.Equal(t, [2]float32{float32(c.Start.X), float32(c.Start.Y)}, [2]float32{segments[n].Args[0].X, segments[n].Args[0].Y})
			n++
			for _, s := range c.Steps {
				last := segments[n].ArgsSlice()
				end := last[len(last)-1]
				require.Equal(t, [2]float32{float32(s.Points[2].X), float32(s.Points[2].Y)}, [2]float32{end.X, end.Y})
				n++
			}
			if n < len(segments) && segments[n].Args[0].X == float32(c.Start.X) && segments[n].Args[0].Y == float32(c.Start.Y) && segments[n].Op != segments[0].Op {
				n++ // the reader closes contours
			}
		}
		require.Len(t, segments, n)
	}
}

// Fonts with one glyph and with the maximum number are complete.
func TestWriteSizes(t *testing.T) {
	t.Parallel()
	one := ours.Write("One", [4]int{}, make([]ours.Glyph, 1))
	require.True(t, bytes.HasPrefix(one, []byte{1, 0, 4, 4}))
	many := ours.Write("Many", [4]int{}, make([]ours.Glyph, 65_535))
	require.Greater(t, len(many), 65_535*6)
	require.Equal(t, uint16(1), binary.BigEndian.Uint16(many[4:]))
}
