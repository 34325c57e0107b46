package render

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// placedWord is a word of a caption at its place.
type placedWord struct {
	transcript.Word
	shown string // in the style's case
	drawn string // shown, with marks of its direction
	at    rect   // around its letters: as high as the letters of all words
	line  int
	from  time.Duration // when it is highlighted
	to    time.Duration
	key   bool
}

// block is a caption with places.
type block struct {
	from, to time.Duration
	em       float64
	words    []placedWord
	lines    []rect
	bounds   rect // of all lines
	speaker  int  // order of appearance; -1 if unknown
	name     string
	toLeft   bool // read from right to left
}

// glyphBand returns how far the letters of all words reach above and below the middle of their line, at a size.
func (l look) glyphBand(cues []Cue, em float64) (above, below float64) {
	for _, c := range cues {
		for _, w := range c.Words() {
			s := l.size(cased(w.Text, l.Font.Case), em)
			above, below = max(above, s.above), max(below, s.below)
		}
	}
	return above, below
}

// space is the width of a space between words, in ems: a little wider than in print, so that highlights of words don't touch.
const space = 0.3

// arrange places a cue whose letters reach above and below a line's middle. It begins at said[at], in the words of all cues.
func (l look) arrange(c Cue, above, below, em float64, said []transcript.Word, at int) block {
	b := block{from: c.Start - l.start, to: c.End - l.start, em: em, speaker: -1, toLeft: l.toLeft || rightToLeft(c.Words(), l.language)}
	if len(c.Words()) > 0 {
		label := c.Words()[0].Speaker
		if n, ok := l.speakers[label]; ok {
			b.speaker, b.name = n, label
		}
		if name := l.names[label]; name != "" {
			b.name = name
		}
	}
	padX, padY := l.padding()
	linePad := l.linePadding()
	gap := em*(space+l.Font.Spacing/60) + l.wordGap()
	height := above + below
	pitch := max(height+2*linePad+em*0.1, em*1.25)
	bottom := 0.0
	all := c.Words()
	n := 0
	for i, line := range c.Lines {
		var row []placedWord
		x := 0.0
		for j, w := range line {
			shown := cased(w.Text, l.Font.Case)
			width := l.size(shown, em).width
			if j > 0 && spaced(line[j-1], w, l.language) {
				x += gap
			} else if j > 0 {
				x += l.wordGap()
			}
			from, to := l.spoken(c, all, n)
			row = append(row, placedWord{Word: w, shown: shown, drawn: shown, at: rect{x + width/2, bottom, width, height}, line: i, from: from, to: to, key: l.isKey(said, at+n)})
			x += width
			n++
		}
		setOrder(row, x, b.toLeft)
		b.words = append(b.words, row...)
		b.lines = append(b.lines, rect{x / 2, bottom, x, height})
		bottom += pitch
	}
	l.alignLines(&b, padX, padY)
	return b
}

// padding returns the space around a line that boxes and pills need.
func (l look) padding() (x, y float64) {
	if l.Captions.Box.Colour != "" || l.Speakers.Paint == "box" {
		x, y = l.Captions.Box.Padding, l.Captions.Box.Padding/2
	}
	if l.Highlight.Kind == "pill" {
		x, y = max(x, l.Highlight.Box.Padding), max(y, l.Highlight.Box.Padding/2)
	}
	return x, y
}

// linePadding returns the space above and below each line that boxes and pills need.
func (l look) linePadding() float64 {
	y := 0.0
	if l.Captions.Box.Colour != "" && l.Captions.BoxOf != "caption" {
		y = l.Captions.Box.Padding / 2
	}
	if l.Highlight.Kind == "pill" {
		y = max(y, l.Highlight.Box.Padding/2)
	}
	if l.Highlight.Kind == "underline" {
		y = max(y, l.captionEm()*0.08)
	}
	return y
}

// wordGap returns the space between two words beyond a space, for boxes of words.
func (l look) wordGap() float64 {
	if l.Captions.Box.Colour != "" && l.Captions.BoxOf == "word" {
		return l.Captions.Box.Padding*2 + 8
	}
	return 0
}

// spoken returns when a word is highlighted: until the next word starts, so that one word always is.
func (l look) spoken(c Cue, words []transcript.Word, i int) (from, to time.Duration) {
	return captionWriter{start: l.start}.spoken(c, words, i)
}

// alignLines moves the lines of a block, which begin at 0, to their places.
func (l look) alignLines(b *block, padX, padY float64) {
	room := float64(l.layout.canvas.w - 2*l.layout.side)
	last := b.lines[len(b.lines)-1].y
	align := l.align(b.toLeft)
	if l.Speakers.Sides && b.speaker >= 0 {
		align = map[bool]string{false: "left", true: "right"}[b.speaker%2 == 1]
	}
	height := b.lines[0].h
	y := float64(l.layout.captionBottom) - height/2 - last - padY
	switch l.Captions.Position {
	case "middle":
		y = (float64(l.layout.canvas.h) - last) / 2
	case "top":
		y = float64(l.layout.titleTop) + height/2 + padY
		if l.Title.Show == "always" {
			y += 3.4 * l.titleEm()
		}
	}
	for i := range b.lines {
		x := (float64(l.layout.canvas.w) - b.lines[i].w) / 2
		switch align {
		case "left":
			x = float64(l.layout.side) + padX
		case "right":
			x = float64(l.layout.side) + room - padX - b.lines[i].w
		}
		b.lines[i].x += x
		b.lines[i].y += y
		for j := range b.words {
			if w := &b.words[j]; w.line == i {
				w.at.x += x
				w.at.y += y
			}
		}
		if i == 0 {
			b.bounds = b.lines[0]
		}
		b.bounds = b.bounds.union(b.lines[i])
	}
}

// align returns where a caption begins. If it is read from right to left, left and right swap.
func (l look) align(toLeft bool) string {
	mirrored := map[string]string{"left": "right", "right": "left"}[l.Captions.Align]
	if toLeft && mirrored != "" {
		return mirrored
	}
	return l.Captions.Align
}

// shrunk returns the size at which the widest line of a cue fits.
func (l look) shrunk(c Cue, em float64) float64 {
	widest := 0.0
	padX, _ := l.padding()
	for _, line := range c.Lines {
		w := 0.0
		for j, word := range line {
			if j > 0 && spaced(line[j-1], word, l.language) {
				w += em * space
			}
			if j > 0 {
				w += l.wordGap()
			}
			w += l.size(cased(word.Text, l.Font.Case), em).width
		}
		widest = max(widest, w)
	}
	most := max(1, l.Highlight.Scale, l.Emphasis.Scale)
	room := (float64(l.layout.canvas.w-2*l.layout.side) - 2*padX) / (1 + (most-1)/2)
	return em * min(1, max(0.25, room/max(widest, 1)))
}

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
