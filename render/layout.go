package render

import (
	"math"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// size is a width and a height in pixels.
type size struct{ w, h int }

func (s size) ratio() float64 { return float64(s.w) / float64(s.h) }

// even rounds the size to even sides, as H.264 with subsampled chroma needs.
func even(w, h float64) size {
	return size{max(2, int(math.Round(w/2))*2), max(2, int(math.Round(h/2))*2)}
}

// ratios are the sides of the aspect ratios.
var ratios = map[engine.AspectRatio]size{
	engine.AspectVertical: {9, 16}, engine.AspectSquare: {1, 1}, engine.AspectWide: {16, 9}, engine.AspectPortrait: {4, 5},
}

// maxLongSide is the longest side of a result in the media's own ratio.
const maxLongSide = 1920

// displayed returns the size of the picture as shown: rotated, with square pixels.
func (f MediaFacts) displayed() size {
	w, h := float64(f.Video.Width)*f.Picture.PixelAspect, float64(f.Video.Height)
	if f.Picture.Rotation%180 != 0 {
		w, h = h, w
	}
	return even(max(w, 2), max(h, 2))
}

// frameSize returns the size of the result. Audio alone has no ratio and gets 9:16.
func frameSize(r Request, f MediaFacts) size {
	ratio, known := ratios[r.Aspect]
	if !known && f.Picture == nil {
		ratio, known = ratios[engine.AspectVertical], true
	}
	short := float64(shortSide)
	if r.ShortSide > 0 {
		short = float64(r.ShortSide)
	}
	if known {
		scale := short / float64(min(ratio.w, ratio.h))
		return even(float64(ratio.w)*scale, float64(ratio.h)*scale)
	}
	own := f.displayed()
	scale := min(1, maxLongSide/float64(max(own.w, own.h)))
	if r.ShortSide > 0 {
		scale = min(scale, short/float64(min(own.w, own.h)))
	}
	return even(float64(own.w)*scale, float64(own.h)*scale)
}

// layout has the positions of everything on a canvas whose shorter side is 1080; libass scales it to the frame. The margins
// avoid what players and apps draw over a video: in the vertical format, the lowest quarter and a column on the right; in others, the
// controls of a player. A Target may need more.
type layout struct {
	canvas        size
	captionSize   float64 // font size
	captionBottom int     // lower edge of captions
	titleSize     float64
	titleTop      int
	side          int // margin, left and right
	words         int // most words in a caption
	coverTop      int
	coverSize     int
	waveMiddle    int // vertical centre of the bars if there is a cover
	waveHeight    int
}

// layoutOf returns the layout for a frame.
func layoutOf(frame size) layout {
	scale := shortSide / float64(min(frame.w, frame.h))
	canvas := size{int(math.Round(float64(frame.w) * scale)), int(math.Round(float64(frame.h) * scale))}
	var l layout
	share := func(part float64) int { return int(part * float64(canvas.h)) }
	switch ratio := frame.ratio(); {
	case ratio < 0.7:
		l = layout{captionSize: 84, captionBottom: share(0.75), titleSize: 62, titleTop: share(0.11), side: 100, words: 6,
			coverTop: share(0.235), coverSize: 520, waveMiddle: share(0.575), waveHeight: 150}
	case ratio < 0.9:
		l = layout{captionSize: 74, captionBottom: share(0.86), titleSize: 58, titleTop: share(0.06), side: 85, words: 8,
			coverTop: share(0.19), coverSize: 430, waveMiddle: share(0.6), waveHeight: 130}
	case ratio < 1.2:
		l = layout{captionSize: 66, captionBottom: share(0.86), titleSize: 54, titleTop: share(0.055), side: 80, words: 10,
			coverTop: share(0.205), coverSize: 310, waveMiddle: share(0.595), waveHeight: 110}
	default:
		l = layout{captionSize: 68, captionBottom: share(0.86), titleSize: 56, titleTop: share(0.06), words: 14,
			side:     int(0.11 * float64(canvas.w)),
			coverTop: share(0.205), coverSize: 310, waveMiddle: share(0.595), waveHeight: 110}
	}
	l.canvas = canvas
	return l
}

// room returns how many ems of a font size fit between the margins.
func (l layout) room(size float64) float64 {
	return float64(l.canvas.w-2*l.side) / (size * emsPerSize)
}

// limits returns the limits of captions that fit.
func (l layout) limits(style engine.RenderStyle, language transcript.Language) CueLimits {
	room := l.room(l.captionSize)
	columns := int(room / 0.58) // mean of letters and spaces in European text
	switch language {
	case "ja", "zh", "ko":
		columns = int(room) * 2 // each takes two columns and 1 em
	case "hi":
		columns = int(room / 0.55) // marks count as columns but have no width
	case "ru", "uk":
		columns = int(room / 0.65)
	}
	limits := CueLimits{Columns: min(columns, 42), Lines: 2, Words: l.words}
	switch style {
	case engine.StylePop:
		limits.Words, limits.Lines = 3, 1
	case engine.StyleLines:
		limits.Words = 0
	}
	if !language.Spaced() {
		limits.Words = 0 // words are syllables or sentences: only the width counts
		if style == engine.StylePop {
			limits.Columns, limits.Sentences = min(limits.Columns, 14), true
		}
	}
	return limits
}
