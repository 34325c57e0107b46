package render

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// captions draws all cues.
func (l look) captions(e *easel, cues []Cue) {
	em := l.captionEm()
	above, below := l.glyphBand(cues, em)
	var said []transcript.Word
	for _, c := range cues {
		said = append(said, c.Words()...)
	}
	next := 0
	for _, c := range cues {
		at := next
		next += len(c.Words())
		if len(c.Words()) == 0 || c.Start >= c.End {
			continue
		}
		size := l.shrunk(c, em)
		part := size / em
		l.caption(e, l.arrange(c, above*part, below*part, size, said, at), (above-below)/2*part)
	}
}

// caption draws one cue. middle is how far the middle of letters is above that of their line.
func (l look) caption(e *easel, b block, middle float64) {
	enter := func(t time.Duration) (scale, below, opacity float64) {
		if l.byWord() {
			return 1, 0, 1
		}
		return l.entrance(b.from, t)
	}
	place := func(r rect, t time.Duration) (rect, float64) {
		scale, below, opacity := enter(t)
		return blockPose(r, b.bounds, scale, below), opacity
	}
	l.captionBoxes(e, b, place)
	l.highlight(e, b, place)
	for i := range b.words {
		l.word(e, b, i, middle, place)
	}
	l.plate(e, b, place)
}

// captionBoxes draws what is behind a caption.
func (l look) captionBoxes(e *easel, b block, place func(rect, time.Duration) (rect, float64)) {
	box := l.Captions.Box
	if l.Speakers.Paint == "box" && b.speaker >= 0 {
		box.Colour = l.speakerColour(b.speaker, box.Colour)
	}
	padX, padY := box.Padding, box.Padding/2
	var rects []rect
	switch l.Captions.BoxOf {
	case "line":
		rects = b.lines
	case "caption":
		rects = []rect{b.bounds}
	case "word":
		for _, w := range b.words {
			from := b.from
			if l.byWord() {
				from = w.from
			}
			l.drawBox(e, layerBox, box.Colour, box.Radius, from, b.to, func(t time.Duration) (rect, float64) { return place(w.at.grown(padX, padY), t) })
		}
	}
	for _, r := range rects {
		l.drawBox(e, layerBox, box.Colour, box.Radius, b.from, b.to, func(t time.Duration) (rect, float64) { return place(r.grown(padX, padY), t) })
	}
}

// landing is how long before a word begins its entrance starts: within the 40 ms that viewers don't notice.
const landing = 30 * time.Millisecond

// highlight draws the pill or the underline of the spoken word, which glides from one word to the next.
func (l look) highlight(e *easel, b block, place func(rect, time.Duration) (rect, float64)) {
	if l.Highlight.Kind != "pill" && l.Highlight.Kind != "underline" {
		return
	}
	box := l.Highlight.Box
	if l.Speakers.Paint == "highlight" && b.speaker >= 0 {
		box.Colour = l.speakerColour(b.speaker, box.Colour)
	}
	around := func(w placedWord) rect {
		if l.Highlight.Kind == "underline" {
			thick := max(b.em/9, 4)
			return rect{w.at.x, w.at.y + w.at.h/2 + thick*0.9, w.at.w, thick}
		}
		return w.at.grown(box.Padding, box.Padding/2)
	}
	glide := time.Duration(l.Highlight.GlideMS) * time.Millisecond
	from := b.from
	if l.byWord() {
		from = max(from, b.words[0].from)
	}
	l.drawBox(e, layerPill, box.Colour, box.Radius, from, b.to, func(t time.Duration) (rect, float64) {
		i := 0
		for i+1 < len(b.words) && t >= b.words[i+1].from-glide/2 {
			i++
		}
		r := around(b.words[i])
		if i > 0 && glide > 0 && b.words[i-1].line == b.words[i].line {
			begin := b.words[i].from - glide/2 // it is halfway when the word begins
			r = around(b.words[i-1]).between(r, ease("smooth", float64(t-begin)/float64(glide)))
		}
		return place(r, t)
	})
}

// turning is how long a word takes to change its size.
const turning = 90 * time.Millisecond

// word draws a word of a caption.
func (l look) word(e *easel, b block, i int, middle float64, place func(rect, time.Duration) (rect, float64)) {
	w := b.words[i]
	rest := 1.0
	if w.key {
		rest = l.Emphasis.Scale
	}
	from := b.from
	if l.byWord() {
		from = w.from
	}
	at := func(t time.Duration) pose {
		r, opacity := place(rect{w.at.x, w.at.y + middle, w.at.w, w.at.h}, t)
		p := pose{x: r.x, y: r.y, scale: r.w / w.at.w * rest, opacity: opacity}
		if l.byWord() {
			scale, below, opacity := l.entrance(w.from-landing, t)
			p.scale, p.y, p.opacity = p.scale*scale, p.y+below, opacity
		}
		if l.Highlight.Scale != 1 && l.Highlight.Kind != "none" {
			up, down := 1.0, 0.0
			if !l.byWord() { // a word that appears larger doesn't grow, too
				up = ease("out", float64(t-w.from+turning/2)/float64(turning))
			}
			if w.to < b.to {
				down = ease("out", float64(t-w.to+turning/2)/float64(turning))
			}
			p.scale *= 1 + (l.Highlight.Scale-1)*(up-down)
		}
		return p
	}
	l.drawText(e, w.drawn, b.em, middle, from, b.to, at, func(t time.Duration) Colour { return l.wordColour(b, w, t) })
}

// wordColour returns the colour of a word at a moment.
func (l look) wordColour(b block, w placedWord, t time.Duration) Colour {
	colour := l.Text.Colour
	if l.Speakers.Paint == "text" && b.speaker >= 0 {
		colour = l.speakerColour(b.speaker, colour)
	}
	if w.key && l.Emphasis.Colour != "" {
		colour = l.Emphasis.Colour
	}
	lit := l.Highlight.Kind != "none" && l.Highlight.Colour != ""
	switch {
	case t < w.from && l.Highlight.Unspoken != "":
		return l.Highlight.Unspoken
	case lit && t >= w.from && (t < w.to || l.Highlight.Kind == "fill"):
		return l.Highlight.Colour
	}
	return colour
}

// speakerColour returns the colour of a speaker, or otherwise.
func (l look) speakerColour(speaker int, otherwise Colour) Colour {
	if n := len(l.Speakers.Colours); n > 0 {
		return l.Speakers.Colours[speaker%n]
	}
	return otherwise
}

// plate draws the name of the speaker above a caption.
func (l look) plate(e *easel, b block, place func(rect, time.Duration) (rect, float64)) {
	if !l.Speakers.Plates || b.name == "" {
		return
	}
	em := l.captionEm() * 0.55
	name := clean(b.name, 40).text
	s := l.size(name, em)
	padX, padY := em*0.55, em*0.3
	_, above := l.padding()
	height := s.above + s.below
	y := b.bounds.y - b.bounds.h/2 - above - height/2 - padY - em*0.3
	x := b.bounds.x
	switch {
	case l.Speakers.Sides && b.speaker%2 == 1 || l.align(b.toLeft) == "right":
		x = b.bounds.x + b.bounds.w/2 - s.width/2
	case l.Speakers.Sides || l.align(b.toLeft) == "left":
		x = b.bounds.x - b.bounds.w/2 + s.width/2
	}
	r := rect{x, y, s.width, height}
	colour := l.speakerColour(max(b.speaker, 0), "#ffffff")
	l.drawBox(e, layerBox, colour, (height+2*padY)/2, b.from, b.to, func(t time.Duration) (rect, float64) { return place(r.grown(padX, padY), t) })
	plain := l
	plain.Text.Outline, plain.Text.Shadow = StyleOutline{}, StyleShadow{}
	plain.drawText(e, name, em, (s.above-s.below)/2, b.from, b.to, func(t time.Duration) pose {
		at, opacity := place(rect{r.x, r.y + (s.above-s.below)/2, r.w, r.h}, t)
		return pose{x: at.x, y: at.y, scale: at.w / r.w, opacity: opacity}
	}, func(time.Duration) Colour { return readable(colour) })
}
