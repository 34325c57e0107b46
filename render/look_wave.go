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
		l.chapters(still, w, p.request.Chapters)
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

// circlePart is the size of a cover inside a circle of sound, as a part of its usual size.
const circlePart = 0.78

// circle draws the sound as rays around a circle, clockwise from the top. Rays that were played are bright.
func (w wave) circle(moving, still *script) {
	const rays = 72
	l := w.layout
	b := w.place(rays)
	heights := b.heights(0, func(i int) float64 {
		from, to := i*len(w.levels)/rays, (i+1)*len(w.levels)/rays
		return meanSquare(w.levels[from:max(to, min(from+1, len(w.levels)))])
	})
	x, y, radius := float64(l.canvas.w)/2, float64(l.coverTop+l.coverSize/2), float64(l.coverSize)*0.4
	if w.cover {
		radius = float64(l.coverSize)*circlePart/2 + 14
	}
	longest := float64(l.coverSize) * 0.16
	ray := func(i int) string {
		sin, cos := math.Sincos(2 * math.Pi * (float64(i) + 0.5) / rays)
		long, wide := 8+longest*float64(heights[i])/float64(b.height), radius*2*math.Pi/rays*0.27
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

// chapters marks where chapters begin, and shows the title of the chapter that plays.
func (l look) chapters(still *script, w wave, all []Chapter) {
	b := w.place(progressBarCount)
	y := float64(b.y + b.height/2 + 34)
	for i, c := range all {
		at := c.Start - l.start
		to := l.length + time.Second
		if i+1 < len(all) {
			to = min(to, all[i+1].Start-l.start)
		}
		if to <= 0 || at >= l.length {
			continue
		}
		if at > 0 {
			x := float64(b.x) + float64(b.width)*float64(at)/float64(l.length)
			still.add(2, 0, l.length+time.Second, styleShape, fmt.Sprintf(`{\an5\pos(%s,%s)\p1%s}%s`, number(x), number(y), w.played, rect{0, 0, 10, 10}.path(5)))
		}
		em := l.captionEm() * 0.6
		title := clean(c.Title, 60).text
		if title == "" {
			continue
		}
		if room := float64(l.layout.canvas.w - 2*l.layout.side); l.size(title, em).width > room {
			em *= max(room/l.size(title, em).width, 0.4)
		}
		e := &easel{rate: Rate{25, 1}}
		l.drawText(e, title, em, 0, max(at, 0), to, func(time.Duration) pose {
			return pose{x: float64(l.layout.canvas.w) / 2, y: y + em*1.1, scale: 1, opacity: 1}
		}, func(time.Duration) Colour { return l.Wave.Colour })
		e.write(still, 0)
	}
}
