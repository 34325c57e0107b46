package formats

// paragraphLook is the properties of a paragraph (<w:pPr>), in documents of both directions.
type paragraphLook struct {
	ltr, rtl string
	space    docxSpace
}

// runLook is the properties of a run of text (<w:rPr>).
type runLook struct{ ltr, rtl string }

// paragraphStyle returns the look of a named style; "" is Normal.
func paragraphStyle(id string) paragraphLook {
	if id == "" {
		return paragraphLook{"", "<w:pPr><w:bidi/></w:pPr>", docxSpaces[""]}
	}
	named := `<w:pPr><w:pStyle w:val="` + id + `"/>`
	return paragraphLook{named + "</w:pPr>", named + "<w:bidi/></w:pPr>", docxSpaces[id]}
}

// runStyle returns the look of a named style; "" is that of the paragraph.
func runStyle(id string) runLook {
	if id == "" {
		return runLook{"", "<w:rPr><w:rtl/></w:rPr>"}
	}
	named := `<w:rPr><w:rStyle w:val="` + id + `"/>`
	return runLook{named + "</w:rPr>", named + "<w:rtl/></w:rPr>"}
}

// docxLook is how a transcript looks in a document.
type docxLook struct {
	text    paragraphLook
	chapter paragraphLook // headings of chapters, and of times in long documents
	summary paragraphLook // of chapters
	speaker paragraphLook // lines with speaker and time
	plain   runLook
	name    runLook // names of speakers
	title   runLook // of chapters
	time    runLook
	link    runLook
}

// ownLook is the look of documents without a template: styles of docxparts/styles.xml.
var ownLook = docxLook{
	text:    paragraphStyle(""),
	chapter: paragraphStyle("Heading2"),
	summary: paragraphStyle("ChapterSummary"),
	speaker: paragraphStyle("Speaker"),
	plain:   runStyle(""),
	name:    runStyle(""),
	title:   runStyle(""),
	time:    runStyle("Timestamp"),
	link:    runStyle("Hyperlink"),
}
