package formats

import (
	"fmt"
	"strings"

	"github.com/soundstage-dev/soundstage/formats/internal/pdffile"
	"github.com/soundstage-dev/soundstage/formats/internal/typeset"
)

// pdfLink is a link to an address or, without one, to a chapter.
type pdfLink struct {
	address  string
	contents string // what screen readers say
	chapter  int
	place    pdfPlace // of the chapter
	areas    []pdfArea
}

// pdfArea is a rectangle on a page.
type pdfArea struct {
	page                     int
	left, bottom, right, top float64
}

func (k *pdfLink) add(page int, c column, bottom, top float64) {
	k.areas = append(k.areas, pdfArea{page, c.left, bottom, c.right, top})
}

// putLinked adds the lines of a text with links. In text that runs from right to left, a link that is broken over two lines is left out.
func (l *pdfLayout) putLinked(element int, text string, lines []typeset.Line, k textStyle, c column, links []textLink) {
	if len(links) > 0 {
		if drawn := l.textOf(lines, k); drawn != text {
			links = moved(links, text, drawn)
		}
	}
	if len(links) == 0 {
		l.put(element, lines, k, c)
		return
	}
	elements := make([]int, len(links))
	for i, link := range links {
		elements[i] = l.tree.addLink(element, pdfLink{address: link.address, contents: link.address})
	}
	at := 0
	for i, line := range lines {
		from, page := len(l.page().lines), len(l.pages)
		l.put(element, lines[i:i+1], k, c)
		if len(l.pages) > page {
			from = 0
		}
		whole := l.page().lines[from]
		l.page().lines = l.page().lines[:from]
		at = l.splitAtLinks(whole, line, at, element, links, elements)
	}
}

// moved returns the links of a text where its lines have them in visual order. Addresses run from left to right in any text.
func moved(links []textLink, text, drawn string) (found []textLink) {
	after := map[string]int{}
	for _, link := range links {
		shown := text[link.start:link.end]
		from := after[shown]
		i := strings.Index(drawn[from:], shown)
		if i < 0 {
			continue
		}
		link.start, link.end = from+i, from+i+len(shown)
		after[shown] = link.end
		found = append(found, link)
	}
	return found
}

// splitAtLinks draws a line in parts: text, and links. at is where the line begins in the text. It returns where the next one does.
func (l *pdfLayout) splitAtLinks(whole pdfLine, line typeset.Line, at, element int, links []textLink, elements []int) int {
	x, start := whole.x, 0
	in := func(at int) int {
		for i, link := range links {
			if at >= link.start && at < link.end {
				return i
			}
		}
		return noElement
	}
	for start < len(line.Glyphs) {
		current, end, width := in(at), start, 0.0
		for end < len(line.Glyphs) && in(at) == current {
			g := line.Glyphs[end]
			at += len(whole.widths[g.Code].Text)
			width += float64(g.Advance) * whole.style.size / 1000
			end++
		}
		style, owner := whole.style, element
		if current != noElement {
			style, owner = style.inked(linkInk), elements[current]
			l.tree.elements[owner].link.add(len(l.pages)-1, column{x, x + width}, whole.y-0.3*style.size, whole.y+style.size)
		}
		l.glyphs(line.Glyphs[start:end], style, x, owner)
		x, start = x+width, end
	}
	return at
}

// textOf returns the text of lines in visual order.
func (l *pdfLayout) textOf(lines []typeset.Line, k textStyle) string {
	var b strings.Builder
	glyphs := l.setter.Glyphs(k.weight)
	for _, line := range lines {
		for _, g := range line.Glyphs {
			b.WriteString(glyphs[g.Code].Text)
		}
	}
	return b.String()
}

// annotation returns a link annotation for an area (ISO 32000-1, 12.5.6.5). key leads to its structure element.
func (k *pdfLink) annotation(a pdfArea, pages []int, key int) string {
	target := fmt.Sprintf("/Dest [%s /XYZ 0 %.2f null]", pdffile.Ref(pages[k.place.page]), k.place.y)
	if k.address != "" {
		target = "/A <</S /URI /URI " + pdffile.String(asciiAddress(k.address)) + ">>"
	}
	return fmt.Sprintf("<</Type /Annot /Subtype /Link /Rect [%.2f %.2f %.2f %.2f] /Border [0 0 0] /F 4 /P %s /Contents %s /StructParent %d %s>>",
		a.left, a.bottom, a.right, a.top, pdffile.Ref(pages[a.page]), pdffile.Text(k.contents), key, target)
}

// asciiAddress returns an address with its other characters percent-encoded (RFC 3987, 3.1).
func asciiAddress(address string) string {
	var b strings.Builder
	for i := range len(address) {
		if c := address[i]; c >= 0x80 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
