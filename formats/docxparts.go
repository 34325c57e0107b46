package formats

import (
	_ "embed"
	"strings"
	"time"
)

// The parts of a docx that are (almost) the same in every file.
var (
	//go:embed docxparts/content-types.xml
	docxContentTypes string
	//go:embed docxparts/rels.xml
	docxRels string
	//go:embed docxparts/document-rels.xml
	docxDocumentRels string
	//go:embed docxparts/app.xml
	docxApp string
	//go:embed docxparts/settings.xml
	docxSettings string
	//go:embed docxparts/footer1.xml
	docxFooter string
	//go:embed docxparts/styles.xml
	docxStyleSheet string
)

const xmlHeader = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"

// xmlEscaper escapes clean text, which has no characters that XML 1.0 forbids.
var xmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// docxStyles returns the style sheet with the document's fonts and languages.
func docxStyles(s script) string {
	l := localeOf(s.Language)
	eastAsia, complexFont := "Yu Gothic", "Arial"
	langEastAsia, langComplex := "ja-JP", "ar-SA"
	switch l.script {
	case kana, hans, hangul:
		eastAsia, langEastAsia = l.font, l.tag
	case devanagari:
		complexFont, langComplex = l.font, l.tag
	}
	tag := l.tag
	if tag == "und" {
		tag = "en-US" // Word has no tag for an undetermined language
	}
	return strings.NewReplacer("{eastAsia}", eastAsia, "{complex}", complexFont, "{lang}", tag,
		"{langEastAsia}", langEastAsia, "{langComplex}", langComplex).Replace(docxStyleSheet)
}

// docxCore returns the core properties (ECMA-376 part 2, 11).
func docxCore(s script, o Options) string {
	var b strings.Builder
	element := func(name, attributes, text string) {
		b.WriteString("<" + name + attributes + ">" + xmlEscaper.Replace(text) + "</" + name + ">")
	}
	b.WriteString(xmlHeader + `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" ` +
		`xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">`)
	element("dc:title", "", s.headline())
	element("dc:creator", "", o.creator())
	element("cp:lastModifiedBy", "", o.creator())
	if !o.Created.IsZero() {
		element("dcterms:created", ` xsi:type="dcterms:W3CDTF"`, o.Created.UTC().Format(time.RFC3339))
	}
	if modified := o.modified(); !modified.IsZero() {
		element("dcterms:modified", ` xsi:type="dcterms:W3CDTF"`, modified.UTC().Format(time.RFC3339))
	}
	if s.Language != "" {
		element("dc:language", "", localeOf(s.Language).tag)
	}
	b.WriteString("</cp:coreProperties>")
	return b.String()
}
