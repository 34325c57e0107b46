package formats

import (
	"fmt"
	"time"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/formats/internal/typeset"
)

// Measures of the page in points: A4 with margins for lines of about 90 letters.
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

// bookmarkEvery is the distance between bookmarks.
const bookmarkEvery = 5 * time.Minute

// pdfElement is a structure element, a heading or paragraph, and where it is drawn.
type pdfElement struct {
	tag   string // "H1", "H2", "P"
	marks []pdfMark
}

type pdfMark struct{ page, id int }

// Values for lines that belong to no element.
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

// pdfLine is a positioned line of glyphs; y is its baseline, from the bottom.
type pdfLine struct {
	element int
	glyphs  []typeset.Placed
	widths  []typeset.Glyph
	weight  typeset.Weight
	size    float64
	gray    float64
	x, y    float64
}

// textStyle is the style of a text.
type textStyle struct {
	weight typeset.Weight
	size   float64
	gray   float64
}

var (
	titleStyle  = textStyle{typeset.Bold, titleSize, 0}
	metaStyle   = textStyle{typeset.Regular, smallSize, 0.35}
	nameStyle   = textStyle{typeset.Bold, textSize, 0}
	timeStyle   = textStyle{typeset.Regular, smallSize, 0.35}
	bodyStyle   = textStyle{typeset.Regular, textSize, 0}
	footerStyle = textStyle{typeset.Regular, footerSize, 0.35}
)

// pdfLayout puts lines on pages.
type pdfLayout struct {
	setter    *typeset.Setter
	leading   float64 // distance of baselines, in font sizes
	pages     []*pdfPage
	elements  []pdfElement
	y         float64 // of the last baseline
	bookmarks bool
	err       error
}

// layoutPDF returns the pages and structure elements of a document.
func layoutPDF(s script, o Options, setter *typeset.Setter) ([]*pdfPage, []pdfElement, error) {
	l := &pdfLayout{setter: setter, leading: leadingOf(s), bookmarks: s.length() > bookmarkEvery && !o.OmitTimestamps}
	l.newPage()
	title := l.lines(s.headline(), titleStyle)
	l.put("H1", title, titleStyle)
	if meta := s.metaLine(o.Created); meta != "" {
		l.y -= 4
		l.put("P", l.lines(meta, metaStyle), metaStyle)
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

// leadingOf returns the leading. It is wider for taller or denser scripts.
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

// lines breaks text into lines and keeps the first error.
func (l *pdfLayout) lines(text string, k textStyle) []typeset.Line {
	lines, err := l.setter.Lines(text, k.weight, lineWidth/k.size*1000)
	if err != nil && l.err == nil {
		l.err = err
	}
	return lines
}

// linesLeft returns how many lines still fit on the page.
func (l *pdfLayout) linesLeft(k textStyle) int { return int((l.y - margin) / (k.size * l.leading)) }

// paragraph adds the line with speaker and time, and the text. The line stays on one page with the first two lines of text.
func (l *pdfLayout) paragraph(p captions.Utterance, o Options, previous time.Duration) {
	text := l.lines(p.Text, bodyStyle)
	heading := p.Name != "" || !o.OmitTimestamps
	var name []typeset.Line
	if p.Name != "" {
		name = l.lines(p.Name, nameStyle)
	}
	need := min(len(text), 2)
	if heading {
		need += max(len(name), 1) + 1
	}
	if l.linesLeft(bodyStyle) < need {
		l.newPage()
	}
	if block, first := blockStart(previous, p.Start, bookmarkEvery); first && l.bookmarks {
		l.page().bookmarks = append(l.page().bookmarks, pdfBookmark{clock(block), pageHeight - l.y})
	}
	if heading {
		l.y -= 0.6 * textSize
		element := l.put("H2", name, nameStyle)
		if !o.OmitTimestamps {
			l.time(clock(p.Start), name, element)
		}
		l.y -= 2
	}
	l.put("P", text, bodyStyle)
}

// time adds the time after the name, or on a separate line if there is no name or not enough space.
func (l *pdfLayout) time(text string, name []typeset.Line, element int) {
	if len(name) > 0 {
		text = " " + text // screen readers then pause before it
	}
	line := l.lines(text, timeStyle)
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
	l.draw(line[0], timeStyle, x, l.y, element)
}

// put adds the lines of an element below the previous ones, on as many pages as needed, and returns the element.
func (l *pdfLayout) put(tag string, lines []typeset.Line, k textStyle) int {
	l.elements = append(l.elements, pdfElement{tag: tag})
	element := len(l.elements) - 1
	for i, line := range lines {
		// Never leave a single line at the end or the start of a page.
		rest, left := len(lines)-i, l.linesLeft(k)
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

func (l *pdfLayout) draw(line typeset.Line, k textStyle, x, y float64, element int) {
	p := l.page()
	p.lines = append(p.lines, pdfLine{element, line.Glyphs, l.setter.Glyphs(k.weight), k.weight, k.size, k.gray, x, y})
}

// footers adds the title and the page number to every page.
func (l *pdfLayout) footers(s script) {
	for i, p := range l.pages {
		number := l.lines(fmt.Sprintf("%d / %d", i+1, len(l.pages)), footerStyle)[0]
		x := pageWidth - margin - number.Width*footerSize/1000
		at := func(line typeset.Line, x float64) pdfLine {
			return pdfLine{artifact, line.Glyphs, l.setter.Glyphs(footerStyle.weight), footerStyle.weight, footerSize, footerStyle.gray, x, footerY}
		}
		if title := l.lines(s.headline(), footerStyle); i > 0 && len(title) == 1 && margin+title[0].Width*footerSize/1000 < x-timeGap {
			p.lines = append(p.lines, at(title[0], margin))
		}
		p.lines = append(p.lines, at(number, x))
	}
}
