package formats

import (
	"io"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// WriteDOCX writes an Office Open XML document (ECMA-376): a title, lines with date, source, duration, and speakers, the sections that
// the options have, and the transcript, with a line with speaker and time above each paragraph. Sections and chapters have headings. A
// long transcript without chapters has a heading every 10 min. A document with chapters has a table of contents. Everything has a named
// style. The document has language, title, creator and dates, links addresses, and marks right-to-left text.
//
// With Options.Template, it writes that document with its placeholders filled: see Placeholders. Styles, paper, and properties are then
// those of the template. A placeholder for paragraphs ({{summary}}, {{chapters}}, {{transcript}}) that is alone in a paragraph of the text
// becomes paragraphs in the style of that one; elsewhere, lines end with line breaks.
//
// It returns CodeInvalid if there is no such Options.Paper, and CodeInvalid or CodeTooLarge if the template can't be used: it is no Word
// document, is damaged, has macros, has an unknown placeholder or none, or is too large.
func WriteDOCX(w io.Writer, t transcript.Transcript, o Options) error {
	s := prepareDocument(t, o)
	if o.Template != nil {
		return writeTemplate(w, s, o)
	}
	size, err := o.pageSize(t.Language)
	if err != nil {
		return err
	}
	page := docxPageOf(size)
	text, links := docxText(s, o, page)
	return zipDocx(w, ownParts(s, o, page, links), text)
}

// docxText returns the main part, and the relationships of its links.
func docxText(s document, o Options, page docxPage) (text, links string) {
	d := docxBody{look: ownLook, links: docxLinks{prefix: "rLink"}}
	if len(s.chapters) > 0 {
		d.pages = &docxPages{page: page}
	}
	d.Grow(1000 + 3*s.size())
	d.WriteString(xmlHeader + `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>`)
	d.front(s)
	toc := d.Len()
	if len(s.chapters) > 0 {
		d.pages.skip(len(s.chapters))
	}
	long := s.length() > headingEvery && !o.OmitTimestamps && len(s.chapters) == 0
	if o.SpeakerTable {
		d.speakerTable(s, page)
	}
	if o.SpeakerTable || len(s.summary)+len(s.chapters) > 0 {
		d.heading(s.word.transcript)
	} else {
		d.look.chapter = paragraphStyle("Heading1") // no level is left out
	}
	d.transcript(s.sections(), o, long)
	d.WriteString(page.section() + "</w:body></w:document>")
	text = d.String()
	if len(s.chapters) > 0 {
		text = text[:toc] + d.contents(s.word.chapters) + text[toc:]
	}
	return text, d.links.relationships()
}

// front writes what precedes the table of contents.
func (d *docxBody) front(s document) {
	d.paragraph(paragraphStyle("Title"), docxRun{text: s.headline()})
	for _, l := range s.header() {
		value := docxRun{text: l.text}
		if l.link != "" {
			value = docxRun{l.text, d.look.link, l.link}
		}
		d.details(l.label, value)
	}
	if len(s.summary) > 0 {
		d.heading(s.word.summary)
	}
	for _, p := range s.summary {
		d.paragraph(d.look.text, docxRun{text: p})
	}
}

// details writes a line with a label below the title.
func (d *docxBody) details(label string, value docxRun) {
	rtl := d.openParagraph(paragraphStyle("Details"), value)
	d.directed(label, runStyle("Label"), rtl)
	d.WriteString("<w:r><w:tab/></w:r>")
	d.runs(rtl, value)
	d.WriteString("</w:p>")
}

// heading writes the heading of a section.
func (d *docxBody) heading(text string) {
	d.paragraph(paragraphStyle("Heading1"), docxRun{text: text})
}
