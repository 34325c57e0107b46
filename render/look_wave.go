package render

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// wave draws what an audiogram shows of its sound, and marks of chapters.
func (l look) wave(p *Plan, moving, still *script) {
	played, rest := l.Wave.Colour, l.Wave.Rest
	w := wave{layout: l.layout, cover: p.facts.Cover >= 0 && l.Background.Cover != "none", levels: p.measured.Levels, length: p.Duration}
	w.played, w.rest = `\1c`+first(played.ass())+`\1a`+l.alpha(float64(played.rgba().A)/255), `\1c`+first(rest.ass())+`\1a`+l.alpha(float64(rest.rgba().A)/255)
	switch l.Wave.Kind {
	case "levels":
		w.levelBars(moving)
	case "bars":
		w.progressBars(moving, still)
	case "line":
		w.line(moving, still)
	case "circle":
		w.circle(moving, still)
	}
	if l.Wave.Chapters {
		l.chapters(still, w, p.chapters)
	}
}

func first(a, _ string) string { return a }

// line draws the sound as one band, whose played part is bright.
func (w wave) line(moving, still *script) {
	const points = 120
	b := w.place(points)
	heights := b.heights(0, func(i int) float64 {
		from, to := i*len(w.levels)/points, (i+1)*len(w.levels)/points
		return meanSquare(w.levels[from:max(to, min(from+1, len(w.levels)))])
	})
	high := b.height
	var s strings.Builder
	fmt.Fprintf(&s, "m 0 0 m %d %d m 0 %d", b.width, high, high/2)
	edge := func(i, sign int) { // smooth: each point is the handle of a curve between the middles
		x, y := i*b.step, high/2+sign*(heights[i]/2+2)
		fmt.Fprintf(&s, " l %d %d", x, y)
	}
	for i := range points {
		edge(i, -1)
	}
	for i := points - 1; i >= 0; i-- {
		edge(i, 1)
	}
	top, bottom := b.y-high/2, b.y+high/2
	place := fmt.Sprintf(`{\an7\pos(%d,%d)\p1`, b.x, top)
	still.add(0, 0, w.length+time.Second, styleShape, place+w.rest+`}`+s.String())
	// A part of the band is bright at a time, so that little changes in each frame.
	const parts = 15
	for i := range parts {
		from, to := w.length*time.Duration(i)/parts, w.length*time.Duration(i+1)/parts
		left, right := b.x+b.width*i/parts, b.x+b.width*(i+1)/parts
		still.add(1, to, w.length+time.Second, styleShape, fmt.Sprintf(`%s%s\clip(%d,%d,%d,%d)}%s`, place, w.played, left, top, right, bottom, s.String()))
		moving.add(0, from, to, styleShape, fmt.Sprintf(`%s%s\clip(%d,%d,%d,%d)\t(0,%d,\clip(%d,%d,%d,%d))}%s`, place, w.played,
			left, top, left, bottom, (to-from).Milliseconds(), left, top, right, bottom, s.String()))
	}
}

// Parts of a circle of sound, whose rays end at its edge.
const (
	circlePart = 0.62 // of a round cover inside
	squarePart = 0.46 // of a square one
	ringPart   = 0.68 // of the ring where rays begin
	rayPart    = 0.14 // of the longest ray, and of the shortest: rayLeast
	rayLeast   = 0.02
)

// circle draws the sound as rays around a circle, clockwise from the top. Rays that were played are bright.
func (w wave) circle(moving, still *script) {
	const rays = 72
	b := w.place(rays)
	heights := b.heights(0, func(i int) float64 {
		from, to := i*len(w.levels)/rays, (i+1)*len(w.levels)/rays
		return meanSquare(w.levels[from:max(to, min(from+1, len(w.levels)))])
	})
	x, y, size := w.layout.disc()
	radius, longest := size*ringPart/2, size*rayPart
	ray := func(i int) string {
		sin, cos := math.Sincos(2 * math.Pi * (float64(i) + 0.5) / rays)
		long, wide := size*rayLeast+longest*float64(heights[i])/float64(b.height), radius*2*math.Pi/rays*0.27
		at := func(out, side float64) string {
			return fmt.Sprintf("%d %d", int(math.Round((radius+out)*sin+side*cos+600)), int(math.Round(-(radius+out)*cos+side*sin+600)))
		}
		return "m " + at(0, -wide) + " l " + at(long, -wide) + " " + at(long, wide) + " " + at(0, wide)
	}
	place := fmt.Sprintf(`{\an7\pos(%s,%s)\p1`, number(x-600), number(y-600))
	var all strings.Builder
	all.WriteString("m 0 0 m 1200 1200")
	for i := range rays {
		all.WriteString(" " + ray(i))
	}
	end := w.length + time.Second
	still.add(0, 0, end, styleShape, place+w.rest+`}`+all.String())
	for i := range rays {
		still.add(1, w.length*time.Duration(i+1)/rays, end, styleShape, place+w.played+`}m 0 0 m 1200 1200 `+ray(i))
	}
	_ = moving // nothing moves between two rays
}
