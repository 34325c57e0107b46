package render

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// wave draws the sound of an audiogram, as bars with round ends.
type wave struct {
	layout layout
	cover  bool      // there is a cover above
	levels []float64 // LevelsPerSecond
	length time.Duration
}

// bars are where a row of bars is.
type bars struct {
	x, y   int // its left, its middle
	width  int // of all
	height int // of the highest bar
	step   int // from one bar to the next
	thick  int // a bar's width
	n      int
}

const fillingBars, dancingBars = 60, 41

// place returns where n bars go: below the cover, or in its place, where they are larger.
func (w wave) place(n int) bars {
	l := w.layout
	b := bars{y: l.waveMiddle, height: l.waveHeight, n: n}
	room := min(l.canvas.w-2*l.side, 1300)
	if !w.cover {
		b.y = (l.coverTop + l.waveMiddle + l.waveHeight/2) / 2
		b.height = int(float64(l.waveHeight) * 2.4)
	}
	b.step = max(room/n, 4)
	b.thick = b.step * 6 / 10
	b.width = b.step*(n-1) + b.thick
	b.x = (l.canvas.w - b.width) / 2
	return b
}

// filling draws a bar for each part of the window: dim ones that stay, and over them bright ones, of which more and more
// are seen while the sound plays.
func (w wave) filling(moving, still *script) {
	b := w.place(fillingBars)
	drawing := b.draw(func(i int) float64 {
		from, to := i*len(w.levels)/b.n, (i+1)*len(w.levels)/b.n
		return meanSquare(w.levels[from:max(to, min(from+1, len(w.levels)))])
	})
	place := fmt.Sprintf(`{\an7\pos(%d,%d)\p1`, b.x, b.y-b.height/2)
	end := w.length + time.Second
	still.add(0, 0, end, styleShape, place+`\1a&HB0&}`+drawing)
	moving.add(0, 0, end, styleShape, fmt.Sprintf(`%s\c%s\clip(%d,%d,%d,%d)\t(0,%d,\clip(%d,%d,%d,%d))}%s`, place, gold,
		b.x, b.y-b.height/2, b.x, b.y+b.height/2, w.length.Milliseconds(), b.x, b.y-b.height/2, b.x+b.width, b.y+b.height/2, drawing))
}

// dancesPerSecond is how often dancing bars change: two in three frames.
const dancesPerSecond = 20

// dancing draws bars that show the present in the middle and the moment before it further out, on both sides.
func (w wave) dancing(moving *script) {
	b := w.place(dancingBars)
	loudest := 0.0
	for i := range w.levels {
		loudest = max(loudest, w.smooth(i))
	}
	place := fmt.Sprintf(`{\an7\pos(%d,%d)\p1\c%s}`, b.x, b.y-b.height/2, gold)
	n := int(math.Ceil(w.length.Seconds() * dancesPerSecond))
	for k := range n {
		now := k * LevelsPerSecond / dancesPerSecond
		drawing := b.drawTo(loudest, func(i int) float64 {
			out := i - b.n/2
			if out < 0 {
				out = -out
			}
			return w.smooth(now-2*out) * (1 - 0.5*float64(out)/float64(b.n/2))
		})
		moving.add(0, time.Duration(k)*time.Second/dancesPerSecond, time.Duration(k+1)*time.Second/dancesPerSecond, styleShape, place+drawing)
	}
}

// smooth is the level around a moment.
func (w wave) smooth(i int) float64 {
	return meanSquare(w.levels[min(max(i-1, 0), len(w.levels)):min(max(i+2, 0), len(w.levels))])
}

// draw returns the drawing of a bar for each of n levels, the highest as high as can be.
func (b bars) draw(level func(i int) float64) string {
	loudest := 0.0
	for i := range b.n {
		loudest = max(loudest, level(i))
	}
	return b.drawTo(loudest, level)
}

// drawTo draws bars, of which one of the loudest level is as high as can be. The power raises soft speech, which would
// look like nothing. Two lone points make the drawing's box the same whatever the levels: libass places drawings by it.
func (b bars) drawTo(loudest float64, level func(i int) float64) string {
	var s strings.Builder
	fmt.Fprintf(&s, "m 0 0 m %d %d", b.width, b.height)
	for i := range b.n {
		high := b.thick
		if loudest > 0 {
			high = max(high, int(math.Pow(min(level(i)/loudest, 1), 0.8)*float64(b.height)))
		}
		s.WriteString(b.bar(i, high))
	}
	return s.String()
}

// bar draws one bar with round ends.
func (b bars) bar(i, high int) string {
	left, right := i*b.step, i*b.step+b.thick
	r := b.thick / 2
	top, bottom := (b.height-high)/2, (b.height+high)/2
	arc := b.thick * 2 / 3 // how far the handles of a Bézier half circle lie out
	return fmt.Sprintf(" m %d %d b %d %d %d %d %d %d l %d %d b %d %d %d %d %d %d",
		left, top+r, left, top+r-arc, right, top+r-arc, right, top+r, right, bottom-r, right, bottom-r+arc, left, bottom-r+arc, left, bottom-r)
}

// meanSquare returns the root of the mean square of levels.
func meanSquare(levels []float64) float64 {
	if len(levels) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range levels {
		sum += v * v
	}
	return math.Sqrt(sum / float64(len(levels)))
}
