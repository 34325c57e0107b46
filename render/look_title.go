package render

import (
	"strings"
	"time"
)

// title draws the title, and reports whether it had to be shortened.
func (l look) title(e *easel, text string) (shortened bool) {
	if text == "" || l.Title.Show == "never" {
		return false
	}
	text = cased(text, l.Title.Case)
	full := l.titleEm()
	fitted := l.layout
	fitted.titleSize = full / emsPerSize * 1.1 // Montserrat's letters are wider than those of textWidth
	fitted.side += int(l.Title.Box.Padding)
	lines, scale := titleLines(text, fitted, l.language)
	if len(lines) == 0 {
		return false
	}
	for i, line := range lines {
		lines[i] = directed(line, titleToLeft(text))
	}
	em := full * scale
	to := l.length + time.Second
	if l.Title.Show == "start" {
		to = min(to, time.Duration(l.Title.Seconds*float64(time.Second)))
	}
	l.titleBlock(e, lines, em, to)
	return strings.HasSuffix(lines[len(lines)-1], "…") && !strings.HasSuffix(text, "…")
}

// titleBlock draws the lines of a title from the start until to.
func (l look) titleBlock(e *easel, lines []string, em float64, to time.Duration) {
	above, below, widest := 0.0, 0.0, 0.0
	for _, line := range lines {
		s := l.size(line, em)
		above, below, widest = max(above, s.above), max(below, s.below), max(widest, s.width)
	}
	if room := float64(l.layout.canvas.w-2*l.layout.side) - 2*l.Title.Box.Padding; widest > room {
		part := max(room/widest, 0.25)
		em, above, below = em*part, above*part, below*part
	}
	padX, padY := l.Title.Box.Padding, l.Title.Box.Padding/2
	if l.Title.Box.Colour == "" {
		padX, padY = 0, 0
	}
	height := above + below
	pitch := max(em*1.22, height+2*padY-2)
	if l.Title.BoxOf == "title" {
		pitch = em * 1.22
	}
	x, y := float64(l.layout.canvas.w)/2, float64(l.layout.titleTop)+height/2+padY
	var rects []rect
	for i, line := range lines {
		rects = append(rects, rect{x, y + float64(i)*pitch, l.size(line, em).width, height})
	}
	bounds := rects[0].union(rects[len(rects)-1])
	place := func(r rect, t time.Duration) (rect, float64) {
		scale, under, opacity := l.entrance(0, t+time.Millisecond)
		const leaving = 200 * time.Millisecond
		if l.Title.Show == "start" && to < l.length {
			opacity *= min(1, max(0, float64(to-t)/float64(leaving)))
		}
		return blockPose(r, bounds, scale, under), opacity
	}
	boxes := rects
	if l.Title.BoxOf == "title" {
		boxes = []rect{bounds}
	}
	for _, r := range boxes {
		l.drawBox(e, layerBox, l.Title.Box.Colour, l.Title.Box.Radius, 0, to, func(t time.Duration) (rect, float64) { return place(r.grown(padX, padY), t) })
	}
	if l.Title.Box.Colour != "" {
		l.Text.Outline, l.Text.Shadow = StyleOutline{}, StyleShadow{}
	}
	for i, line := range lines {
		r := rects[i]
		l.drawText(e, line, em, (above-below)/2, 0, to, func(t time.Duration) pose {
			at, opacity := place(rect{r.x, r.y + (above-below)/2, r.w, r.h}, t)
			return pose{x: at.x, y: at.y, scale: at.w / r.w, opacity: opacity}
		}, func(time.Duration) Colour { return l.Title.Colour })
	}
}
