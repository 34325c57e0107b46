package formats

import (
	"bytes"
	"io"
	"strconv"

	"github.com/jung-kurt/gofpdf"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats/internal/typeset"
)

// WritePDF writes a tagged A4 PDF: title, meta line, a line with speaker and time above each paragraph, page numbers, and a
// bookmark every 5 min. Text in every script can be selected, copied and searched. If no font has a script, the error is
// CodeUnavailable with an installation hint.
//
// gofpdf writes the pages and the outline. It never gets text, because it would shape and break it incorrectly and lose
// characters. Package typeset positions the glyphs, cff writes the fonts, and pdffile adds what gofpdf can't write.
func WritePDF(w io.Writer, t transcript.Transcript, o Options) error {
	fonts, err := o.fonts()
	if err != nil {
		return err
	}
	s := prepareText(t, o)
	setter := typeset.New(fonts, string(s.Language))
	pages, elements, err := layoutPDF(s, o, setter)
	if err != nil {
		return fontError(err)
	}
	doc := gofpdf.New("P", "pt", "A4", "")
	doc.SetCatalogSort(true)
	doc.SetCompression(false) // pdffile compresses
	doc.SetAutoPageBreak(false, 0)
	doc.SetMargins(0, 0, 0)
	for i, p := range pages {
		doc.AddPage()
		for _, m := range p.bookmarks {
			doc.Bookmark(m.text, 0, m.y)
		}
		doc.RawWriteBuf(bytes.NewReader(p.content(i, elements)))
	}
	var made bytes.Buffer
	if err := doc.Output(&made); err != nil {
		return err
	}
	file, err := finishPDF(made.Bytes(), s, o, setter, elements)
	if err != nil {
		return err
	}
	return writeFile(w, bytes.NewBuffer(file))
}

// appendFloat appends a coordinate.
func appendFloat(b []byte, v float64) []byte { return strconv.AppendFloat(b, v, 'f', 2, 64) }

// content returns the drawing operators of a page, and records in elements which of them are on it.
func (p *pdfPage) content(page int, elements []pdfElement) []byte {
	var b []byte
	next, element := 0, noElement
	color := -1.0
	for _, l := range p.lines {
		if l.element != element {
			if element != noElement {
				b = append(b, "EMC\n"...)
			}
			element = l.element
			if element == artifact {
				b = append(b, "/Artifact <</Type /Pagination /Subtype /Footer>> BDC\n"...)
			} else {
				e := &elements[element]
				b = append(b, "/"+e.tag+" <</MCID "+strconv.Itoa(next)+">> BDC\n"...)
				e.marks = append(e.marks, pdfMark{page, next})
				next++
			}
		}
		if l.gray != color {
			color = l.gray
			b = append(appendFloat(b, color), " g "...)
			b = append(appendFloat(b, color), " G\n"...)
		}
		b = l.appendTo(b)
	}
	if len(p.lines) > 0 {
		b = append(b, "EMC\n"...)
	}
	return b
}

// appendTo appends one line of glyphs: codes in hexadecimal, and between them the kerning in thousandths of the size.
func (l pdfLine) appendTo(b []byte) []byte {
	const digits = "0123456789ABCDEF"
	b = append(b, "BT /"+l.weightName()+" "...)
	b = append(appendFloat(b, l.size), " Tf "...)
	if l.fake() {
		b = append(appendFloat(append(b, "2 Tr "...), l.size/40), " w "...)
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
	if l.weight == typeset.Bold {
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
