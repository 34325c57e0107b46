package formats

import (
	"fmt"

	"github.com/soundstage-dev/soundstage/formats/internal/typeset"
)

// pdfLayout puts lines on pages.
type pdfLayout struct {
	setter  *typeset.Setter
	size    pageSize
	leading float64 // distance of baselines, in font sizes
	pages   []*pdfPage
	tree    pdfTree
	y       float64 // of the last baseline
	waiting []pdfHeading
	places  []pdfPlace // of chapters
	names   map[string][]typeset.Line
	digits  map[string]typeset.Line // by character
	err     error
}

// pdfHeading is a heading that waits for the text below it.
type pdfHeading struct {
	tag, text string
	lines     []typeset.Line
	style     textStyle
	above     float64 // space
	level     int     // of its bookmark
	chapter   bool
}

// layoutPDF returns the pages and the structure of a document.
func layoutPDF(s document, o Options, size pageSize, setter *typeset.Setter) (*pdfLayout, error) {
	l := &pdfLayout{setter: setter, size: size, leading: leadingOf(s), tree: newPDFTree(), names: map[string][]typeset.Line{}, digits: map[string]typeset.Line{}}
	l.newPage()
	l.put(l.tree.add("H1", documentElement), l.lines(s.headline(), titleStyle, l.full()), titleStyle, l.full())
	l.header(s)
	sections := len(s.summary) > 0 || len(s.chapters) > 0 || o.SpeakerTable && len(s.speakers()) > 0
	l.summary(s)
	numbers := l.contents(s, o)
	if o.SpeakerTable {
		l.speakers(s)
	}
	if sections {
		l.heading("H2", s.word.transcript, sectionStyle)
	}
	l.transcript(s, o, sections)
	if l.err != nil {
		return nil, l.err // the transcript ends there, and what the list of chapters leads to is missing
	}
	l.begin(0)
	l.number(numbers)
	l.footers(s)
	return l, l.err
}

// leadingOf returns the leading. It is wider for taller or denser scripts.
func leadingOf(s document) float64 {
	switch localeOf(s.Language).script {
	case devanagari, kana, hans, hangul:
		return 1.65
	}
	return 1.45
}

func (l *pdfLayout) newPage() {
	l.pages = append(l.pages, &pdfPage{lines: make([]pdfLine, 0, 96)})
	l.y = l.size.height - margin
}

func (l *pdfLayout) page() *pdfPage { return l.pages[len(l.pages)-1] }

func (l *pdfLayout) full() column { return column{margin, l.size.width - margin} }

// atTop reports whether nothing is on the page.
func (l *pdfLayout) atTop() bool { return len(l.page().lines) == 0 }

// lines breaks text into lines and keeps the first error.
func (l *pdfLayout) lines(text string, k textStyle, c column) []typeset.Line {
	lines, err := l.setter.Lines(text, k.weight, c.width()/k.size*1000)
	if err != nil && l.err == nil {
		l.err = err
	}
	return lines
}

// height returns the height of lines in points.
func (l *pdfLayout) height(lines int, k textStyle) float64 {
	return float64(lines) * k.size * (l.leading - k.tight)
}

// linesLeft returns how many lines still fit on the page.
func (l *pdfLayout) linesLeft(k textStyle) int { return int((l.y - margin) / l.height(1, k)) }

// heading adds a heading. It is drawn with what follows, so that it is never the last on a page.
func (l *pdfLayout) heading(tag, text string, k textStyle) {
	h := pdfHeading{tag: tag, text: text, lines: l.lines(text, k, l.full()), style: k, above: k.size}
	if tag == "H3" {
		h.level, h.chapter = 1, true
	}
	l.waiting = append(l.waiting, h)
}

// begin makes room for the first points of a block and for the headings above it, and draws these.
func (l *pdfLayout) begin(need float64) {
	for _, h := range l.waiting {
		need += h.above + l.height(len(h.lines), h.style)
	}
	if l.y-need < margin {
		l.newPage()
	}
	for _, h := range l.waiting {
		if !l.atTop() {
			l.y -= h.above
		}
		if h.chapter {
			l.places = append(l.places, pdfPlace{len(l.pages) - 1, l.y})
		}
		l.bookmark(h.text, h.level)
		l.put(l.tree.add(h.tag, documentElement), h.lines, h.style, l.full())
	}
	l.waiting = l.waiting[:0]
}

func (l *pdfLayout) bookmark(text string, level int) {
	l.page().bookmarks = append(l.page().bookmarks, pdfBookmark{text, level, l.size.height - l.y})
}

// put adds the lines of an element below the previous ones, on as many pages as needed.
func (l *pdfLayout) put(element int, lines []typeset.Line, k textStyle, c column) {
	for i, line := range lines {
		// Never leave a single line at the end or the start of a page.
		rest, left := len(lines)-i, l.linesLeft(k)
		if left == 0 || left == 1 && rest > 1 && (i == 0 || rest == 2) {
			l.newPage()
		}
		l.y -= l.height(1, k)
		l.draw(line, k, c, element)
	}
}

// draw draws a line at the last baseline.
func (l *pdfLayout) draw(line typeset.Line, k textStyle, c column, element int) {
	x := c.left
	if line.RTL {
		x = c.right
		for _, g := range line.Glyphs { // trailing spaces are the first glyphs, and hang over at the left
			x -= float64(g.Advance) * k.size / 1000
		}
	}
	l.glyphs(line.Glyphs, k, x, element)
}

func (l *pdfLayout) glyphs(glyphs []typeset.Placed, k textStyle, x float64, element int) {
	p := l.page()
	p.lines = append(p.lines, pdfLine{element, glyphs, l.setter.Glyphs(k.weight), k, x, l.y})
}

// footers adds the title and the page number to every page.
func (l *pdfLayout) footers(s document) {
	c := l.full()
	title := l.lines(s.headline(), footerStyle, c)
	for i, p := range l.pages {
		number := l.lines(fmt.Sprintf("%d / %d", i+1, len(l.pages)), footerStyle, c)[0]
		x := c.right - number.Width*footerSize/1000
		at := func(line typeset.Line, x float64) pdfLine {
			return pdfLine{artifact, line.Glyphs, l.setter.Glyphs(footerStyle.weight), footerStyle, x, footerY}
		}
		if i > 0 && len(title) == 1 && c.left+title[0].Width*footerSize/1000 < x-timeGap {
			p.lines = append(p.lines, at(title[0], c.left))
		}
		p.lines = append(p.lines, at(number, x))
	}
}
