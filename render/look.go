package render

import (
	"fmt"
	"math"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// look draws the captions and the title of a Style.
type look struct {
	Style
	face     face
	layout   layout
	language transcript.Language
	toLeft   bool          // most of what is said is read from right to left
	start    time.Duration // of the window: time 0 of the result
	length   time.Duration
	overlaid bool // on a canvas of its own
	ruler    ruler
	names    map[string]string
	keys     map[string]bool // folded key words
	speakers map[string]int  // labels in order of appearance
}

// captionEm returns the size of captions, in pixels per em.
func (l look) captionEm() float64 {
	if l.Font.Size > 0 {
		return l.Font.Size
	}
	return l.layout.captionSize * emsPerSize
}

func (l look) titleEm() float64 {
	if l.Title.Size > 0 {
		return l.Title.Size
	}
	return l.layout.titleSize * emsPerSize
}

// spacing returns the command for the space between letters at a scale.
func (l look) spacing(scale float64) string {
	var s string
	if l.Font.Spacing != 0 {
		s += `\fsp` + number(l.Font.Spacing*scale)
	}
	if l.Font.Italic {
		s += `\i1`
	}
	if s == "" {
		return ""
	}
	return "{" + s + "}"
}

// alpha returns the transparency of an opacity, 0 to 1, in ASS. On a canvas of its own, libass multiplies the opacity with itself.
func (l look) alpha(opacity float64) string {
	if l.overlaid {
		opacity = math.Sqrt(opacity)
	}
	return fmt.Sprintf("&H%02X&", 255-int(min(max(opacity, 0), 1)*255+0.5))
}

// paint returns the commands that give letters or a drawing a colour.
func (l look) paint(c Colour, opacity float64) string {
	rgb, _ := c.ass()
	return `\1c` + rgb + `\1a` + l.alpha(float64(c.rgba().A)/255*opacity)
}

// edges returns the commands for the outline and the shadow of letters.
func (l look) edges(scale, opacity float64) string {
	outline, shadow := l.Text.Outline, l.Text.Shadow
	s := `\bord0`
	if outline.Colour != "" && outline.Width > 0 {
		rgb, _ := outline.Colour.ass()
		s = `\bord` + number(outline.Width*scale) + `\3c` + rgb + `\3a` + l.alpha(float64(outline.Colour.rgba().A)/255*opacity)
	}
	if shadow.Colour != "" && shadow.Blur == 0 && (shadow.X != 0 || shadow.Y != 0) {
		rgb, _ := shadow.Colour.ass()
		s += `\xshad` + number(shadow.X*scale) + `\yshad` + number(shadow.Y*scale) + `\4c` + rgb + `\4a` + l.alpha(float64(shadow.Colour.rgba().A)/255*opacity)
	}
	return s
}

// layers of marks, the lowest first.
const (
	layerBox = iota
	layerPill
	layerShadow
	layerLetters
)

// drawBox draws a rectangle with round corners. at returns its place at a moment.
func (l look) drawBox(e *easel, layer int, colour Colour, radius float64, from, to time.Duration, at func(time.Duration) (rect, float64)) {
	if colour == "" {
		return
	}
	reach := 0.0
	first, _ := at(from)
	reach = first.h
	e.draw(mark{layer: layer, style: styleShape, reach: reach, body: `\p1`}, from, to, func(t time.Duration) pose {
		r, opacity := at(t)
		r.w, r.h = math.Round(r.w), math.Round(r.h)
		return pose{x: r.x, y: r.y, scale: 1, opacity: opacity, more: l.paint(colour, opacity), text: r.path(radius)}
	})
}

// entrance returns how something is posed that appears at begin: its scale, how far it is below its place, and its opacity.
func (l look) entrance(begin, t time.Duration) (scale, below, opacity float64) {
	length := time.Duration(l.Motion.EntranceMS) * time.Millisecond
	if l.Motion.Entrance == "none" || t >= begin+length {
		return 1, 0, 1
	}
	part := float64(t-begin) / float64(length)
	if part < 0 {
		return 1, 0, 0
	}
	eased := ease(l.Motion.Ease, part)
	switch l.Motion.Entrance {
	case "pop":
		return 0.6 + 0.4*eased, 0, min(1, 0.4+2*part)
	case "rise":
		return 1, (1 - eased) * l.captionEm() * 0.55, min(1, 0.2+1.6*part)
	}
	return 1, 0, ease("out", part)
}

// byWord reports whether words appear as they are spoken.
func (l look) byWord() bool { return l.Motion.Of == "word" && l.Motion.Entrance != "none" }

// blockPose moves a place with the entrance of its caption, whose middle is (x, y).
func blockPose(at rect, middle rect, scale, below float64) rect {
	return rect{middle.x + (at.x-middle.x)*scale, middle.y + (at.y-middle.y)*scale + below, at.w * scale, at.h * scale}
}
