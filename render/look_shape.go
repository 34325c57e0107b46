package render

import (
	"fmt"
	"math"
)

// rect is a rectangle on a layout's canvas: its middle and its size.
type rect struct{ x, y, w, h float64 }

// grown returns the rectangle with more space on each side.
func (r rect) grown(x, y float64) rect { return rect{r.x, r.y, r.w + 2*x, r.h + 2*y} }

// between returns the rectangle on the way from r to to.
func (r rect) between(to rect, part float64) rect {
	mix := func(a, b float64) float64 { return a + (b-a)*part }
	return rect{mix(r.x, to.x), mix(r.y, to.y), mix(r.w, to.w), mix(r.h, to.h)}
}

// union returns the smallest rectangle around both.
func (r rect) union(o rect) rect {
	left, right := min(r.x-r.w/2, o.x-o.w/2), max(r.x+r.w/2, o.x+o.w/2)
	top, bottom := min(r.y-r.h/2, o.y-o.h/2), max(r.y+r.h/2, o.y+o.h/2)
	return rect{(left + right) / 2, (top + bottom) / 2, right - left, bottom - top}
}

// path returns a rectangle with round corners as an ASS drawing whose box is the rectangle's.
func (r rect) path(radius float64) string {
	w, h := int(math.Round(max(r.w, 2))), int(math.Round(max(r.h, 2)))
	c := min(int(math.Round(radius)), w/2, h/2)
	k := int(math.Round(float64(c) * 0.4477)) // from a corner to the handle of a Bézier quarter circle
	if c == 0 {
		return fmt.Sprintf("m 0 0 l %d 0 %d %d 0 %d", w, w, h, h)
	}
	return fmt.Sprintf("m %d 0 l %d 0 b %d 0 %d %d %d %d l %d %d b %d %d %d %d %d %d l %d %d b %d %d 0 %d 0 %d l 0 %d b 0 %d %d 0 %d 0",
		c, w-c, w-k, w, k, w, c, w, h-c, w, h-k, w-k, h, w-c, h, c, h, k, h, h-k, h-c, c, k, k, c)
}

// ease returns the progress of a movement, 0 to 1, whose time is part done.
func ease(kind string, part float64) float64 {
	part = min(max(part, 0), 1)
	q := part - 1
	switch kind {
	case "linear":
		return part
	case "smooth":
		return part * part * (3 - 2*part)
	case "back":
		const beyond = 1.9
		return 1 + (beyond+1)*q*q*q + beyond*q*q
	}
	return 1 + q*q*q
}
