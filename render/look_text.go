package render

import (
	"slices"
	"strings"
	"time"

	"github.com/rivo/uniseg"

	"github.com/soundstage-dev/soundstage/render/emoji"
)

// piece is a part of a text: letters, or one emoji.
type piece struct {
	text   string
	shapes []emoji.Shape // of an emoji; nil for letters
}

// isSpace reports whether a piece is the space beside an emoji. libass draws no space at the end of a text.
func (p piece) isSpace() bool { return p.shapes == nil && strings.TrimSpace(p.text) == "" }

// emojiWidth is the width of an emoji with the space around it, and emojiSide that of its drawing, in ems.
const emojiWidth, emojiSide = 1.25, 1.1

// drawsEmoji reports whether an emoji can be drawn.
func (l look) drawsEmoji(text string) bool { return l.Text.Emoji && emoji.Find(text) != nil }

// pieces splits a text into letters, emoji, and the spaces between them.
func pieces(text string) (all []piece) {
	from, at, state := 0, 0, -1
	letters := func() {
		between := text[from:at]
		inner := strings.TrimSpace(between)
		if strings.Trim(inner, toLeftMark+toRightMark) == "" {
			inner = ""
		}
		if inner == "" {
			if strings.Contains(between, " ") {
				all = append(all, piece{text: " "})
			}
			return
		}
		if strings.HasPrefix(between, " ") {
			all = append(all, piece{text: " "})
		}
		all = append(all, piece{text: inner})
		if strings.HasSuffix(between, " ") {
			all = append(all, piece{text: " "})
		}
	}
	for at < len(text) {
		cluster, _, _, next := uniseg.FirstGraphemeClusterInString(text[at:], state)
		state = next
		if isEmoji(cluster) {
			letters()
			all = append(all, piece{text: cluster, shapes: emoji.Find(cluster)})
			from = at + len(cluster)
		}
		at += len(cluster)
	}
	letters()
	return all
}

// width returns the width of a piece at a size.
func (l look) width(p piece, em float64) float64 {
	switch {
	case p.shapes != nil:
		return emojiWidth * em
	case p.isSpace():
		return space * em
	}
	return l.ruler.of(p.text, l.face.markup(p.text, rulerSize), em).width
}

// size returns the size of a text.
func (l look) size(text string, em float64) (s span) {
	for _, p := range pieces(text) {
		s.width += l.width(p, em)
		if p.shapes == nil && !p.isSpace() {
			letters := l.ruler.of(p.text, l.face.markup(p.text, rulerSize), em)
			s.above, s.below = max(s.above, letters.above), max(s.below, letters.below)
		}
	}
	if s.above == 0 {
		s.above, s.below = 0.42*em, 0.34*em
	}
	return s
}

// drawText draws a text, with its shadow and its emoji. middle is how far the middle of letters is above that of their line. colour returns
// the colour of its letters at a moment.
func (l look) drawText(e *easel, text string, em, middle float64, from, to time.Duration, at func(time.Duration) pose, colour func(time.Duration) Colour) {
	all, left := pieces(text), -l.size(text, em).width/2
	toLeft := strings.HasPrefix(text, toLeftMark) || titleToLeft(text)
	if toLeft {
		slices.Reverse(all)
	}
	for _, p := range all {
		width := l.width(p, em)
		offset := left + width/2
		left += width
		shifted := func(t time.Duration) pose {
			pose := at(t)
			pose.x += offset * pose.scale
			if colour(t).rgba().A == 0 {
				pose.opacity = 0
			}
			return pose
		}
		if p.shapes != nil {
			l.drawEmoji(e, p.shapes, em, middle, from, to, shifted)
			continue
		}
		if p.isSpace() {
			continue
		}
		l.drawLetters(e, p.text, em, from, to, shifted, colour)
	}
}

func (l look) drawLetters(e *easel, text string, em float64, from, to time.Duration, at func(time.Duration) pose, colour func(time.Duration) Colour) {
	m := mark{layer: layerLetters, style: styleLetters, reach: em * 1.1, text: l.spacing(1) + l.face.markup(text, em)}
	e.draw(m, from, to, func(t time.Duration) pose {
		p := at(t)
		p.more = l.edges(p.scale, p.opacity) + l.paint(colour(t), p.opacity)
		return p
	})
	shadow := l.Text.Shadow
	if shadow.Colour == "" || shadow.Blur == 0 {
		return
	}
	m.layer = layerShadow
	rgb, _ := shadow.Colour.ass()
	e.draw(m, from, to, func(t time.Duration) pose {
		p := at(t)
		p.x, p.y = p.x+shadow.X, p.y+shadow.Y
		alpha := l.alpha(float64(shadow.Colour.rgba().A) / 255 * p.opacity)
		p.more = `\bord` + number(l.Text.Outline.Width*p.scale) + `\blur` + number(shadow.Blur) + `\1c` + rgb + `\3c` + rgb + `\1a` + alpha + `\3a` + alpha
		return p
	})
}

// drawEmoji draws an emoji, shape by shape. Two points of its drawing fix its box.
func (l look) drawEmoji(e *easel, shapes []emoji.Shape, em, middle float64, from, to time.Duration, at func(time.Duration) pose) {
	for _, s := range shapes {
		e.draw(mark{layer: layerLetters, style: styleShape, reach: 2 * em, body: `\p1`, text: "m 0 0 m 180 180 " + s.Path}, from, to, func(t time.Duration) pose {
			p := at(t)
			p.y -= middle * p.scale
			p.more = l.paint(Colour(s.Colour), p.opacity)
			p.scale *= em * emojiSide / emoji.Side
			return p
		})
	}
}
