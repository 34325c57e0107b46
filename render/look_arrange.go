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
