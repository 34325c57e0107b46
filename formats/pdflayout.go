package formats

import (
	"fmt"
	"time"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/formats/internal/typeset"
)

// The page, in points: A4 with margins that leave lines of about 90 letters.
const (
	pageWidth, pageHeight = 595.28, 841.89
	margin                = 70.0
	footerY               = 40.0
	lineWidth             = pageWidth - 2*margin
	titleSize             = 20.0
	textSize              = 10.5
	smallSize             = 9.0
	footerSize            = 8.5
	timeGap               = 5.0
)

// bookmarkEvery is how far bookmarks are apart.
const bookmarkEvery = 5 * time.Minute

// pdfElement is a part of the document's structure: a heading or paragraph, and where it is drawn.
type pdfElement struct {
	tag   string // "H1", "H2", "P"
	marks []pdfMark
}

type pdfMark struct{ page, id int }

// Lines that belong to no element.
const (
	noElement = -1
	artifact  = -2 // page numbers and the like
)

type pdfPage struct {
	lines     []pdfLine
	bookmarks []pdfBookmark
}

type pdfBookmark struct {
	text string
	y    float64 // from the top
}

// pdfLine is a line of glyphs at its place; y is the baseline's, from the bottom.
type pdfLine struct {
	element int
	glyphs  []typeset.Placed
	widths  []typeset.Glyph
	weight  typeset.Weight
	size    float64
	gray    float64
	x, y    float64
}

// look is how text is drawn.
type look struct {
	weight typeset.Weight
	size   float64
	gray   float64
}

var (
	titleLook  = look{typeset.Bold, titleSize, 0}
	metaLook   = look{typeset.Regular, smallSize, 0.35}
	nameLook   = look{typeset.Bold, textSize, 0}
	timeLook   = look{typeset.Regular, smallSize, 0.35}
	textLook   = look{typeset.Regular, textSize, 0}
	footerLook = look{typeset.Regular, footerSize, 0.35}
)

// pdfLayout puts lines on pages.
type pdfLayout struct {
	setter    *typeset.Setter
	leading   float64 // distance of lines, in sizes
	pages     []*pdfPage
	elements  []pdfElement
	y         float64 // of the last baseline
	bookmarks bool
	err       error
}

// layoutPDF returns the pages and the structure of a document.
func layoutPDF(s script, o Options, setter *typeset.Setter) ([]*pdfPage, []pdfElement, error) {
	l := &pdfLayout{setter: setter, leading: leadingOf(s), bookmarks: s.length() > bookmarkEvery && !o.OmitTimestamps}
	l.newPage()
	title := l.lines(s.headline(), titleLook)
	l.put("H1", title, titleLook)
	if meta := s.metaLine(o.Created); meta != "" {
		l.y -= 4
		l.put("P", l.lines(meta, metaLook), metaLook)
	}
	l.y -= 10
	previous := time.Duration(-1)
	for _, p := range s.paragraphs() {
		l.paragraph(p, o, previous)
		previous = p.Start
		if l.err != nil {
			return nil, nil, l.err
		}
	}
	l.footers(s)
	return l.pages, l.elements, l.err
}

// leadingOf is wider for scripts that are taller or denser.
func leadingOf(s script) float64 {
	switch localeOf(s.Language).script {
	case devanagari, kana, hans, hangul:
		return 1.65
	}
	return 1.45
}

func (l *pdfLayout) newPage() {
	l.pages = append(l.pages, &pdfPage{})
	l.y = pageHeight - margin
}

func (l *pdfLayout) page() *pdfPage { return l.pages[len(l.pages)-1] }

// lines breaks text; the first error is kept.
func (l *pdfLayout) lines(text string, k look) []typeset.Line {
	lines, err := l.setter.Lines(text, k.weight, lineWidth/k.size*1000)
	if err != nil && l.err == nil {
		l.err = err
	}
	return lines
}

// left is how many lines still fit on the page.
func (l *pdfLayout) left(k look) int { return int((l.y - margin) / (k.size * l.leading)) }

// paragraph puts a line with speaker and time, and the text. The line stays with the text's first two.
func (l *pdfLayout) paragraph(p captions.Utterance, o Options, previous time.Duration) {
	text := l.lines(p.Text, textLook)
	heading := p.Name != "" || !o.OmitTimestamps
	var name []typeset.Line
	if p.Name != "" {
		name = l.lines(p.Name, nameLook)
	}
	need := min(len(text), 2)
	if heading {
		need += max(len(name), 1) + 1
	}
	if l.left(textLook) < need {
		l.newPage()
	}
	if block, first := mark(previous, p.Start, bookmarkEvery); first && l.bookmarks {
		l.page().bookmarks = append(l.page().bookmarks, pdfBookmark{clock(block), pageHeight - l.y})
	}
	if heading {
		l.y -= 0.6 * textSize
		element := l.put("H2", name, nameLook)
		if !o.OmitTimestamps {
			l.time(clock(p.Start), name, element)
		}
		l.y -= 2
	}
	l.put("P", text, textLook)
}

// time puts the time behind the name, or in a line of its own when there is no name or no room.
func (l *pdfLayout) time(text string, name []typeset.Line, element int) {
	if len(name) > 0 {
		text = " " + text // so that it is apart for those who listen, too
	}
	line := l.lines(text, timeLook)
	x := margin
	if n := len(name); n > 0 && !name[n-1].RTL {
		x += name[n-1].Width*textSize/1000 + timeGap
	}
	if len(name) == 0 || x+line[0].Width*smallSize/1000 > pageWidth-margin {
		l.y -= textSize * l.leading
		x = margin
	}
	if n := len(name); n > 0 && name[n-1].RTL {
		x = margin
	}
	l.draw(line[0], timeLook, x, l.y, element)
}

// put draws the lines of an element below what is there, on as many pages as it takes, and returns the element.
func (l *pdfLayout) put(tag string, lines []typeset.Line, k look) int {
	l.elements = append(l.elements, pdfElement{tag: tag})
	element := len(l.elements) - 1
	for i, line := range lines {
		// No line is alone at the end of a page or the start of one.
		rest, left := len(lines)-i, l.left(k)
		if left == 0 || left == 1 && rest > 1 && (i == 0 || rest == 2) {
			l.newPage()
		}
		l.y -= k.size * l.leading
		x := margin
		if line.RTL {
			x = pageWidth - margin - line.Width*k.size/1000
		}
		l.draw(line, k, x, l.y, element)
	}
	return element
}

func (l *pdfLayout) draw(line typeset.Line, k look, x, y float64, element int) {
	p := l.page()
	p.lines = append(p.lines, pdfLine{element, line.Glyphs, l.setter.Glyphs(k.weight), k.weight, k.size, k.gray, x, y})
}

// footers puts the title and the page's number on every page.
func (l *pdfLayout) footers(s script) {
	for i, p := range l.pages {
		number := l.lines(fmt.Sprintf("%d / %d", i+1, len(l.pages)), footerLook)[0]
		x := pageWidth - margin - number.Width*footerSize/1000
		at := func(line typeset.Line, x float64) pdfLine {
			return pdfLine{artifact, line.Glyphs, l.setter.Glyphs(footerLook.weight), footerLook.weight, footerSize, footerLook.gray, x, footerY}
		}
		if title := l.lines(s.headline(), footerLook); i > 0 && len(title) == 1 && margin+title[0].Width*footerSize/1000 < x-timeGap {
			p.lines = append(p.lines, at(title[0], margin))
		}
		p.lines = append(p.lines, at(number, x))
	}
}
