package render

import (
	"fmt"
	"math"
	"time"
)

// Places of chapters below the sound, in pixels of a canvas.
const (
	chapterDot  = 16 // from the sound to the middle of a dot
	chapterText = 30 // from the sound to a title
)

// chapterEm returns the size of titles of chapters, in pixels per em.
func (l look) chapterEm() float64 { return l.captionEm() * 0.65 }

// withChapters makes room for a line between the sound and captions. The cover shrinks by as much as the sound moves up.
func (l layout) withChapters(k look) layout {
	if k.Captions.Position != "bottom" || !k.Captions.Show {
		return l
	}
	_, pad := k.padding()
	em := k.captionEm()
	captions := float64(l.captionBottom) - 1.25*em*float64(k.Captions.Lines) - 2*pad - 0.3*em
	if k.Speakers.Plates {
		captions -= 1.2 * em
	}
	over := l.waveMiddle + l.waveHeight/2 + chapterText + int(math.Ceil(1.3*k.chapterEm())) - int(captions)
	if over > 0 {
		l.waveMiddle, l.coverSize = l.waveMiddle-over, max(l.coverSize-over, l.coverSize/2)
	}
	return l
}

// disc returns the place of a circle of sound: of the cover and the wave together.
func (l layout) disc() (x, y, size float64) {
	height := l.waveMiddle + l.waveHeight/2 - l.coverTop
	return float64(l.canvas.w) / 2, float64(l.coverTop) + float64(height)/2, float64(min(height, l.canvas.w-2*l.side))
}

// chapters marks where chapters begin, on the sound from its start to its end, and shows the title of the chapter that plays.
func (l look) chapters(still *script, w wave, all []chapter) {
	bottom, dot := l.chapterPlace(w)
	end := l.length + time.Second
	for i, c := range all {
		if x, y, ok := dot(float64(c.from) / float64(l.length)); ok && c.from > 0 {
			still.add(2, 0, end, styleShape, fmt.Sprintf(`{\an5\pos(%s,%s)\p1%s}%s`, number(x), number(y), w.played, rect{0, 0, 14, 14}.path(7)))
		}
		title := clean(c.title, 60).text
		if title == "" || c.filler {
			continue
		}
		to := c.to
		if i == len(all)-1 {
			to = end
		}
		em := l.chapterEm()
		if room, width := float64(l.layout.canvas.w-2*l.layout.side), l.size(title, em).width; width > room {
			em *= max(room/width, 0.4)
		}
		e := &easel{rate: Rate{25, 1}}
		l.drawText(e, title, em, 0, c.from, to, func(time.Duration) pose {
			return pose{x: float64(l.layout.canvas.w) / 2, y: bottom + chapterText + 0.6*l.chapterEm(), scale: 1, opacity: 1}
		}, func(time.Duration) Colour { return l.Wave.Colour })
		e.write(still, 0)
	}
}

// chapterPlace returns the lower edge of the sound, and where a dot is at a part of the length. Sound that shows only the present has none.
func (l look) chapterPlace(w wave) (bottom float64, dot func(part float64) (x, y float64, ok bool)) {
	switch l.Wave.Kind {
	case "circle":
		x, y, size := l.layout.disc()
		return y + size/2, func(part float64) (float64, float64, bool) {
			sin, cos := math.Sincos(2 * math.Pi * part)
			return x + size*ringPart/2*sin, y - size*ringPart/2*cos, true
		}
	case "bars", "line":
		b := w.place(progressBarCount)
		bottom = float64(b.y) + float64(b.height)/2
		return bottom, func(part float64) (float64, float64, bool) {
			return float64(b.x) + float64(b.width)*part, bottom + chapterDot, true
		}
	}
	b := w.place(progressBarCount)
	return float64(b.y) + float64(b.height)/2, func(float64) (x, y float64, ok bool) { return 0, 0, false }
}
