package formats

import (
	"strconv"
)

// speakerTable writes the section about the speakers: how long each speaks, and that time's share. Its first row is repeated on each
// page.
func (d *docxBody) speakerTable(s document, page docxPage) {
	talk := s.talkTimes()
	if len(talk) == 0 {
		return
	}
	d.heading(s.word.speakers)
	columns := []int{page.textWidth() - 4000, 2400, 1600}
	d.WriteString(`<w:tbl><w:tblPr><w:tblStyle w:val="SpeakerTable"/><w:tblW w:w="` + strconv.Itoa(page.textWidth()) + `" w:type="dxa"/><w:tblLayout w:type="fixed"/>` +
		`<w:tblLook w:val="0020" w:firstRow="1" w:lastRow="0" w:firstColumn="0" w:lastColumn="0" w:noHBand="1" w:noVBand="1"/>` +
		`<w:tblCaption w:val="` + xmlEscaper.Replace(s.word.speakers) + `"/></w:tblPr><w:tblGrid>`)
	for _, w := range columns {
		d.WriteString(`<w:gridCol w:w="` + strconv.Itoa(w) + `"/>`)
	}
	d.WriteString("</w:tblGrid>")
	d.row(columns, true, s.word.speaker, s.word.speaking, "%")
	for _, t := range talk {
		d.row(columns, false, t.name, t.clock(), percent(t.share, s.Language))
	}
	d.WriteString("</w:tbl>")
}

// row writes a row of a table; the first column has names, the others numbers.
func (d *docxBody) row(columns []int, head bool, cells ...string) {
	d.WriteString("<w:tr><w:trPr><w:cantSplit/>")
	if head {
		d.WriteString("<w:tblHeader/>")
	}
	d.WriteString("</w:trPr>")
	for i, text := range cells {
		d.WriteString(`<w:tc><w:tcPr><w:tcW w:w="` + strconv.Itoa(columns[i]) + `" w:type="dxa"/></w:tcPr>`)
		style := "TableText"
		if i > 0 {
			style = "TableNumber"
		}
		d.paragraph(paragraphStyle(style), docxRun{text: text})
		d.WriteString("</w:tc>")
	}
	d.WriteString("</w:tr>")
}
