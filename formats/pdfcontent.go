package formats

import (
	"strconv"

	"github.com/soundstage-dev/soundstage/formats/internal/typeset"
)

// appendFloat appends a coordinate.
func appendFloat(b []byte, v float64) []byte { return strconv.AppendFloat(b, v, 'f', 2, 64) }

// content returns the drawing operators of a page, and records in the tree which of its elements are on it.
func (p *pdfPage) content(page int, tree *pdfTree) []byte {
	b := p.appendRules(make([]byte, 0, 1<<14))
	next, element := 0, noElement
	var color ink
	for _, l := range p.lines {
		if l.element != element {
			if element != noElement {
				b = append(b, "EMC\n"...)
			}
			element = l.element
			switch {
			case element == artifact:
				b = append(b, "/Artifact <</Type /Pagination /Subtype /Footer>> BDC\n"...)
			case element == repetition:
				b = append(b, "/Artifact <</Type /Layout>> BDC\n"...)
			default:
				b = append(b, "/"+tree.elements[element].tag+" <</MCID "+strconv.Itoa(next)+">> BDC\n"...)
				tree.mark(element, pdfMark{page, next})
				next++
			}
		}
		if l.style.color != color {
			color = l.style.color
			b = append(append(b, color...), '\n')
		}
		b = l.appendTo(b)
	}
	if len(p.lines) > 0 {
		b = append(b, "EMC\n"...)
	}
	return b
}

// appendRules appends the rules of tables.
func (p *pdfPage) appendRules(b []byte) []byte {
	if len(p.rules) == 0 {
		return b
	}
	b = append(b, "/Artifact <</Type /Layout>> BDC\n"+ruleInk+" 0.50 w\n"...)
	for _, r := range p.rules {
		b = append(appendFloat(b, r.left), ' ')
		b = append(appendFloat(b, r.y), " m "...)
		b = append(appendFloat(b, r.right), ' ')
		b = append(appendFloat(b, r.y), " l S\n"...)
	}
	return append(b, "EMC\n"...)
}

// appendTo appends one line of glyphs: codes in hexadecimal, and between them the kerning in thousandths of the size.
func (l pdfLine) appendTo(b []byte) []byte {
	const digits = "0123456789ABCDEF"
	b = append(b, "BT /"+l.weightName()+" "...)
	b = append(appendFloat(b, l.style.size), " Tf "...)
	if l.fake() {
		b = append(appendFloat(append(b, "2 Tr "...), l.style.size/40), " w "...)
	}
	b = append(appendFloat(b, l.x), ' ')
	b = append(appendFloat(b, l.y), " Td [<"...)
	off := 0.0
	for i, g := range l.glyphs {
		if n := int(off); n != 0 && i > 0 {
			b = append(b, '>')
			b = strconv.AppendInt(b, int64(n), 10)
			b = append(b, '<')
			off -= float64(n)
		}
		b = append(b, digits[g.Code>>12&15], digits[g.Code>>8&15], digits[g.Code>>4&15], digits[g.Code&15])
		off += float64(l.widths[g.Code].Width) - float64(g.Advance)
	}
	b = append(b, ">] TJ"...)
	if l.fake() {
		b = append(b, " 0 Tr"...)
	}
	return append(b, " ET\n"...)
}

func (l pdfLine) weightName() string {
	if l.style.weight == typeset.Bold {
		return "B"
	}
	return "R"
}

func (l pdfLine) fake() bool {
	for _, g := range l.glyphs {
		if g.Fake {
			return true
		}
	}
	return false
}
