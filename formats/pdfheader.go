package formats

import (
	"strconv"

	"github.com/soundstage-dev/soundstage/formats/internal/typeset"
)

// header adds the lines below the title, in two columns.
func (l *pdfLayout) header(s document) {
	rows := s.header()
	labels := make([]typeset.Line, len(rows))
	width := 0.0
	for i, r := range rows {
		labels[i] = l.lines(r.label+" ", labelStyle, l.full())[0]
		width = max(width, labels[i].Width*labelStyle.size/1000)
	}
	c := l.full()
	c.left += width + columnGap
	l.y -= 8
	for i, r := range rows {
		text := l.lines(r.text, detailStyle, c)
		l.begin(l.height(min(len(text), 2), detailStyle))
		element := l.tree.add("P", documentElement)
		l.y -= l.height(1, labelStyle)
		l.glyphs(labels[i].Glyphs, labelStyle, margin, element)
		l.y += l.height(1, labelStyle)
		var links []textLink
		if r.link != "" {
			links = []textLink{{0, len(r.text), r.link}}
		}
		l.putLinked(element, r.text, text, detailStyle, c, links)
	}
	l.y -= 6
}

// summary adds the section with the summary.
func (l *pdfLayout) summary(s document) {
	if len(s.summary) == 0 {
		return
	}
	l.heading("H2", s.word.summary, sectionStyle)
	for _, text := range s.summary {
		lines := l.lines(text, bodyStyle, l.full())
		l.begin(l.height(min(len(lines), 2), bodyStyle) + 4)
		l.y -= 4
		l.putLinked(l.tree.add("P", documentElement), text, lines, bodyStyle, l.full(), linksIn(text))
	}
}

// pdfPageNumber is where the page number of a chapter goes.
type pdfPageNumber struct{ page, line, link int }

const (
	timeWidth   = 50.0 // of the column with times
	numberWidth = 36.0 // of the column with page numbers
)

// contents adds the section with the chapters: a list with links. The page numbers follow later.
func (l *pdfLayout) contents(s document, o Options) []pdfPageNumber {
	if len(s.chapters) == 0 {
		return nil
	}
	l.heading("H2", s.word.chapters, sectionStyle)
	c := l.full()
	if !o.OmitTimestamps {
		c.left += timeWidth
	}
	c.right -= numberWidth
	var numbers []pdfPageNumber
	var list int
	for i, chapter := range s.chapters {
		title, summary := l.lines(chapter.Title+" ", bodyStyle, c), l.lines(chapter.Summary, detailStyle, c)
		l.begin(3 + l.height(len(title), bodyStyle) + l.height(min(len(summary), 2), detailStyle))
		if i == 0 {
			list = l.tree.add("TOC", documentElement)
		}
		item := l.tree.add("TOCI", list)
		link := l.tree.addLink(l.tree.add("Reference", item), pdfLink{contents: chapter.Title, chapter: i})
		l.y -= 3 + l.height(1, bodyStyle)
		top := l.y + bodyStyle.size
		if !o.OmitTimestamps {
			l.draw(l.clock(chapter.Start), timeStyle, l.full(), link)
		}
		l.y += l.height(1, bodyStyle)
		l.put(link, title, bodyStyle.inked(linkInk), c)
		l.tree.elements[link].link.add(len(l.pages)-1, l.full(), l.y-0.3*bodyStyle.size, max(top, l.y+bodyStyle.size))
		l.glyphs(nil, bodyStyle, 0, link)
		numbers = append(numbers, pdfPageNumber{len(l.pages) - 1, len(l.page().lines) - 1, link})
		if len(summary) > 0 {
			l.put(l.tree.add("P", item), summary, detailStyle.inked(gray), c)
		}
	}
	return numbers
}

// number adds the numbers of the pages to the list of chapters, and the targets of its links.
func (l *pdfLayout) number(numbers []pdfPageNumber) {
	for i, n := range numbers {
		link := l.tree.elements[n.link].link
		link.place = l.places[i]
		number := l.lines(strconv.Itoa(link.place.page+1), bodyStyle, l.full())[0]
		line := &l.pages[n.page].lines[n.line]
		line.glyphs, line.widths = number.Glyphs, l.setter.Glyphs(bodyStyle.weight)
		line.x = l.full().right - number.Width*bodyStyle.size/1000
	}
}
