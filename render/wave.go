package render

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// wave draws the audio of an audiogram as bars with round ends.
type wave struct {
	layout layout
	cover  bool      // there is a cover above the bars
	levels []float64 // LevelsPerSecond per second
	length time.Duration
	// played and rest are the commands for the colours of what was played, and of what wasn't; "" for gold, and white.
	played, rest string
}

// paints returns played and rest, or their defaults.
func (w wave) paints() (played, rest string) {
	return cmp.Or(w.played, `\c`+gold), cmp.Or(w.rest, `\1a&HB0&`)
}

// bars is the position of a row of bars.
type bars struct {
	x, y   int // left edge, vertical centre
	width  int // of the whole row
	height int // of the tallest bar
	step   int // from one bar to the next
	thick  int // of one bar
	n      int
}

const progressBarCount, levelBarCount = 60, 41

// place returns the position of n bars: below the cover, or larger in its place.
func (w wave) place(n int) bars {
	l := w.layout
	b := bars{y: l.waveMiddle, height: l.waveHeight, n: n}
	room := min(l.canvas.w-2*l.side, 1300)
	if !w.cover {
		b.y = (l.coverTop + l.waveMiddle + l.waveHeight/2) / 2
		b.height = int(float64(l.waveHeight) * 2)
	}
	b.step = max(room/n, 4)
	b.thick = b.step * 6 / 10
	b.width = b.step*(n-1) + b.thick
	b.x = (l.canvas.w - b.width) / 2
	return b
}

// chunk is the number of bars in one event. A small event is only as tall as its own bars, so libass blends less.
const chunk = 4

// progressBars draws a bar for each part of the window: dim ones that stay, and bright ones over them, revealed as the audio
// plays. Complete bars are drawn into the few still frames. Blending takes most of the time, so only one chunk is blended
// into each frame.
func (w wave) progressBars(moving, still *script) {
	b := w.place(progressBarCount)
	heights := b.heights(0, func(i int) float64 {
		from, to := i*len(w.levels)/b.n, (i+1)*len(w.levels)/b.n
		return meanSquare(w.levels[from:max(to, min(from+1, len(w.levels)))])
	})
	end := w.length + time.Second
	played, rest := w.paints()
	for from := 0; from < b.n; from += chunk {
		to := min(from+chunk, b.n)
		drawing, high := b.draw(heights[from:to])
		left, top := b.x+from*b.step, b.y-high/2
		right, bottom := left+(to-from)*b.step, top+high
		place := fmt.Sprintf(`{\an7\pos(%d,%d)\p1`, left, top)
		begin, done := w.length*time.Duration(from)/time.Duration(b.n), w.length*time.Duration(to)/time.Duration(b.n)
		still.add(0, 0, end, styleShape, place+rest+`}`+drawing)
		still.add(1, done, end, styleShape, place+played+`}`+drawing)
		moving.add(0, begin, done, styleShape, fmt.Sprintf(`%s%s\clip(%d,%d,%d,%d)\t(0,%d,\clip(%d,%d,%d,%d))}%s`, place, played,
			left, top, left, bottom, (done-begin).Milliseconds(), left, top, right, bottom, drawing))
	}
}

// levelFramesPerSecond is how often levelBars changes the bars.
const levelFramesPerSecond = 20

// levelBars draws bars that show the present in the middle and earlier moments further out, on both sides.
func (w wave) levelBars(moving *script) {
	b := w.place(levelBarCount)
	loudest := 0.0
	played, _ := w.paints()
	for i := range w.levels {
		loudest = max(loudest, w.smooth(i))
	}
	n := int(math.Ceil(w.length.Seconds() * levelFramesPerSecond))
	for k := range n {
		now := k * LevelsPerSecond / levelFramesPerSecond
		drawing, high := b.draw(b.heights(loudest, func(i int) float64 {
			out := i - b.n/2
			if out < 0 {
				out = -out
			}
			return w.smooth(now-2*out) * (1 - 0.5*float64(out)/float64(b.n/2))
		}))
		place := fmt.Sprintf(`{\an7\pos(%d,%d)\p1%s}`, b.x, b.y-high/2, played)
		moving.add(0, time.Duration(k)*time.Second/levelFramesPerSecond, time.Duration(k+1)*time.Second/levelFramesPerSecond, styleShape, place+drawing)
	}
}

// smooth returns the level around a moment.
func (w wave) smooth(i int) float64 {
	return meanSquare(w.levels[min(max(i-1, 0), len(w.levels)):min(max(i+2, 0), len(w.levels))])
}

// heights returns the height of the bar for each of n levels. The loudest level, or the maximum of the levels if loudest is
// 0, gets the full height. The exponent raises soft speech, which would be almost invisible.
func (b bars) heights(loudest float64, level func(i int) float64) []int {
	levels := make([]float64, b.n)
	for i := range levels {
		levels[i] = level(i)
	}
	if loudest == 0 {
		loudest = max(slices.Max(levels), 1e-9)
	}
	heights := make([]int, b.n)
	for i, v := range levels {
		heights[i] = max(b.thick, int(math.Pow(min(v/loudest, 1), 0.8)*float64(b.height))) &^ 1
	}
	return heights
}

// draw draws bars of the given heights around a centre line, and returns the height of the tallest: the drawing spans 0 to
// high. Two extra points fix its bounding box, because libass positions a drawing by its box.
func (b bars) draw(heights []int) (drawing string, high int) {
	high = slices.Max(heights)
	var s strings.Builder
	fmt.Fprintf(&s, "m 0 0 m %d %d", (len(heights)-1)*b.step+b.thick, high)
	for i, h := range heights {
		left, right := i*b.step, i*b.step+b.thick
		top, bottom := (high-h)/2, (high+h)/2
		r, arc := b.thick/2, b.thick*2/3 // arc: distance of the handles of a Bézier half circle
		fmt.Fprintf(&s, " m %d %d b %d %d %d %d %d %d l %d %d b %d %d %d %d %d %d",
			left, top+r, left, top+r-arc, right, top+r-arc, right, top+r, right, bottom-r, right, bottom-r+arc, left, bottom-r+arc, left, bottom-r)
	}
	return s.String(), high
}

// meanSquare returns the root mean square of levels.
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
