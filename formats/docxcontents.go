package formats

import "strconv"

// contents returns the table of contents: a TOC field (ECMA-376 part 1, 17.16.5.68) that already has its entries, so that no program
// has to ask whether it may update it. Its page numbers are estimated. Each is a PAGEREF field, which word processors bring up to date
// when they print or write a PDF.
func (d *docxBody) contents(title string) string {
	t := docxBody{look: d.look}
	t.heading(title)
	t.WriteString(`<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/><w:docPartUnique/></w:docPartObj></w:sdtPr><w:sdtContent>`)
	for n, c := range d.chapters {
		rtl := t.openParagraph(paragraphStyle("TOC2"), docxRun{text: c.title})
		if n == 0 {
			t.openField(`TOC \o "2-2" \h \z`)
		}
		t.entry(n, c, rtl)
		if n == len(d.chapters)-1 {
			t.closeField()
		}
		t.WriteString("</w:p>")
	}
	t.WriteString("</w:sdtContent></w:sdt>")
	return t.String()
}

// entry writes a linked line of the table of contents.
func (d *docxBody) entry(n int, c docxChapter, rtl bool) {
	d.WriteString(`<w:hyperlink w:anchor="` + c.bookmark(n) + `" w:history="1">`)
	d.directed(c.time, d.look.time, rtl)
	if c.time != "" && c.title != "" {
		d.directed("  ", d.look.title, rtl)
	}
	d.directed(c.title, d.look.title, rtl)
	d.WriteString("<w:r><w:tab/></w:r>")
	d.openField("PAGEREF " + c.bookmark(n) + ` \h`)
	d.WriteString("<w:r><w:t>" + strconv.Itoa(c.page) + "</w:t></w:r>")
	d.closeField()
	d.WriteString("</w:hyperlink>")
}

// openField writes the start of a field, up to its result.
func (d *docxBody) openField(instruction string) {
	d.WriteString(`<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> ` + instruction +
		` </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>`)
}

func (d *docxBody) closeField() { d.WriteString(`<w:r><w:fldChar w:fldCharType="end"/></w:r>`) }
