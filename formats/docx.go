package formats

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"time"

	"github.com/nguyenthenguyen/docx"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// headingEvery is the distance between the headings that structure a long document.
const headingEvery = 10 * time.Minute

// WriteDOCX writes an Office Open XML document (ECMA-376): title, meta line, a line with speaker and time above each
// paragraph, a heading every 10 min, and page numbers. Everything has a named style. The document has language, title,
// creator and dates, and marks right-to-left text.
//
// The library only copies parts between zip files, so this package writes the parts itself for each call. The library's
// documents share maps, its Replace breaks on line feeds, and its Write drops errors of the writer; therefore it writes to
// memory.
func WriteDOCX(w io.Writer, t transcript.Transcript, o Options) error {
	s := prepareText(t, o)
	template, err := docxTemplate(s, o)
	if err != nil {
		return err
	}
	r, err := docx.ReadDocxFromMemory(bytes.NewReader(template), int64(len(template)))
	if err != nil {
		return err
	}
	file := r.Editable()
	file.SetContent(docxDocument(s, o))
	var b bytes.Buffer
	if err := file.Write(&b); err != nil {
		return err
	}
	return writeFile(w, &b)
}

// docxTemplate returns a document with every part except the text.
func docxTemplate(s script, o Options) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, part := range []struct{ name, content string }{
		{"[Content_Types].xml", docxContentTypes},
		{"_rels/.rels", docxRels},
		{"docProps/core.xml", docxCore(s, o)},
		{"docProps/app.xml", docxApp},
		{"word/document.xml", " "},
		{"word/_rels/document.xml.rels", docxDocumentRels},
		{"word/styles.xml", docxStyles(s)},
		{"word/settings.xml", docxSettings},
		{"word/footer1.xml", docxFooter},
	} {
		// Stored, not compressed: the library compresses it later.
		p, err := z.CreateHeader(&zip.FileHeader{Name: part.name, Method: zip.Store})
		if err != nil {
			return nil, err
		}
		if _, err := io.WriteString(p, part.content); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return b.Bytes(), err
}

// docxDocument returns the part with the text.
func docxDocument(s script, o Options) string {
	var d docxBody
	d.WriteString(xmlHeader + `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ` +
		`xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:body>`)
	d.paragraph("Title", docxRun{text: s.headline()})
	if meta := s.metaLine(o.Created); meta != "" {
		d.paragraph("Subtitle", docxRun{text: meta})
	}
	previous := time.Duration(-1)
	long := s.length() > headingEvery && !o.OmitTimestamps
	for _, p := range s.paragraphs() {
		if block, first := blockStart(previous, p.Start, headingEvery); first && long {
			d.paragraph("Heading1", docxRun{text: clock(block)})
		}
		previous = p.Start
		switch {
		case p.Name != "" && o.OmitTimestamps:
			d.paragraph("Speaker", docxRun{text: p.Name})
		case p.Name != "":
			d.paragraph("Speaker", docxRun{text: p.Name}, docxRun{text: "  "}, docxRun{text: clock(p.Start), style: "Timestamp"})
		case !o.OmitTimestamps:
			d.paragraph("Speaker", docxRun{text: clock(p.Start), style: "Timestamp"})
		}
		d.paragraph("", docxRun{text: p.Text})
	}
	d.WriteString(`<w:sectPr><w:footerReference w:type="default" r:id="rId3"/><w:pgSz w:w="11906" w:h="16838"/>` +
		`<w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr></w:body></w:document>`)
	return d.String()
}

// docxBody builds the part with the text.
type docxBody struct{ strings.Builder }

// docxRun is text in one character style.
type docxRun struct{ text, style string }

// paragraph writes a paragraph in a style; "" is Normal. It is right-to-left if its first letter is.
func (d *docxBody) paragraph(style string, runs ...docxRun) {
	d.WriteString("<w:p>")
	rtl := false
	for _, r := range runs {
		rtl = rtl || style != "Heading1" && r.style == "" && startsRightToLeft(r.text)
	}
	if style != "" || rtl {
		d.WriteString("<w:pPr>")
		if style != "" {
			d.WriteString(`<w:pStyle w:val="` + style + `"/>`)
		}
		if rtl {
			d.WriteString("<w:bidi/>")
		}
		d.WriteString("</w:pPr>")
	}
	for _, r := range runs {
		for _, part := range directions(r.text, rtl) {
			d.run(part.text, r.style, part.rtl)
		}
	}
	d.WriteString("</w:p>")
}

func (d *docxBody) run(text, style string, rtl bool) {
	d.WriteString("<w:r>")
	if style != "" || rtl {
		d.WriteString("<w:rPr>")
		if style != "" {
			d.WriteString(`<w:rStyle w:val="` + style + `"/>`)
		}
		if rtl {
			d.WriteString("<w:rtl/>")
		}
		d.WriteString("</w:rPr>")
	}
	d.WriteString(`<w:t xml:space="preserve">`)
	_, _ = xmlEscaper.WriteString(d, text)
	d.WriteString("</w:t></w:r>")
}
