package render

import (
	"bytes"
	"image/png"
	"math"
	"strings"
)

// marks are what a Style puts at the edges of a frame: a progress bar, and a logo. Their sizes are in pixels of the canvas.
type marks struct {
	bar        string  // its position
	barHeight  float64 // 0 for no bar
	corner     string
	logoWidth  float64 // 0 for no logo
	logoHeight float64
	margin     float64 // of the logo
}

// marksOf returns the marks of a Style; nil has none.
func marksOf(s *Style, canvas size) (m marks) {
	if s == nil {
		return m
	}
	if s.Progress.Position != "none" {
		m.bar, m.barHeight = s.Progress.Position, s.Progress.Height
	}
	if header, err := png.DecodeConfig(bytes.NewReader(s.Logo.Data)); err == nil {
		m.corner, m.margin = s.Logo.Corner, s.Logo.Margin
		scale := logoScale(s.Logo.Width, header.Width, header.Height, min(canvas.w, canvas.h))
		m.logoWidth, m.logoHeight = float64(header.Width)*scale, float64(header.Height)*scale
	}
	return m
}

// logoScale returns the scale of a logo of a size that becomes wide pixels wide, in a frame with a shorter side.
func logoScale(wide float64, w, h, short int) float64 {
	return min(wide/float64(w), float64(short)/3/float64(h))
}

// markGap is the space between two marks, or between a mark and text.
const markGap = 18

// barAt returns how far a bar at a position reaches into the safe area, with the space after it.
func (m marks) barAt(position string) float64 {
	if m.bar != position || m.barHeight == 0 {
		return 0
	}
	return m.barHeight + markGap
}

// logoInsets returns how far the logo is from the sides of the frame that its corner names.
func (m marks) logoInsets(canvas size, in Insets) (x, y float64) {
	w, h := float64(canvas.w), float64(canvas.h)
	x, y = w*in.Left, h*in.Top+m.barAt("top")
	if strings.HasSuffix(m.corner, "right") {
		x = w * in.Right
	}
	if strings.HasPrefix(m.corner, "bottom") {
		y = h*in.Bottom + m.barAt("bottom")
	}
	return math.Ceil(max(x, m.margin)), math.Ceil(max(y, m.margin))
}

// reach returns how far the marks reach into the safe area from its top and its bottom, and the margin of text at the sides. Text is beside
// a logo if that takes little of the width, else above or below it.
func (m marks) reach(l layout, in Insets) (top, bottom float64, side int) {
	top, bottom, side = m.barAt("top"), m.barAt("bottom"), l.side
	if m.logoWidth == 0 {
		return top, bottom, side
	}
	const little = 0.15
	x, y := m.logoInsets(l.canvas, in)
	if beside := int(x+m.logoWidth) + markGap; float64(beside) <= little*float64(l.canvas.w) {
		return top, bottom, max(side, beside)
	}
	end := y + m.logoHeight + markGap
	if strings.HasPrefix(m.corner, "bottom") {
		return top, max(bottom, end-float64(l.canvas.h)*in.Bottom), side
	}
	return max(top, end-float64(l.canvas.h)*in.Top), bottom, side
}

// barPlace returns the place of the progress bar in the frame. It is as wide as the frame, or as text in a target's frame.
func (p Plan) barPlace() (x, y, w, h int) {
	unit := p.unit()
	m := marksOf(p.request.Look, p.layout().canvas)
	h = max(int(m.barHeight*unit/2+0.5)*2, 2)
	in, known := targetOf(p.request.Target).covers(p.layout())
	if known {
		x = evenUp(float64(p.layout().side) * unit)
	}
	if y = evenUp(float64(p.Height) * in.Top); m.bar == "bottom" {
		y = (p.Height - int(math.Ceil(float64(p.Height)*in.Bottom)) - h) &^ 1
	}
	return x, y, p.Width - 2*x, h
}
