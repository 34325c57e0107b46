package formats

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/nguyenthenguyen/docx"
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

const docxMain = "word/document.xml"

// docxPart is a file in a document.
type docxPart struct{ name, content string }

// ownParts returns the parts of a document without a template, apart from the contents of the main part.
func ownParts(s document, o Options, page docxPage, links string) []docxPart {
	return []docxPart{
		{"[Content_Types].xml", docxContentTypes},
		{"_rels/.rels", docxRels},
		{"docProps/core.xml", docxCore(s, o)},
		{"docProps/app.xml", docxApp},
		{docxMain, " "},
		{"word/_rels/document.xml.rels", strings.Replace(docxDocumentRels, "</Relationships>", links+"</Relationships>", 1)},
		{"word/styles.xml", docxStyles(s, page)},
		{"word/settings.xml", docxSettings},
		{"word/footer1.xml", docxFooter},
	}
}

// zipDocx writes a document with the given main part.
//
// The library only copies parts between zip files. Its documents share maps, its Replace breaks on line feeds, and its Write drops
// errors of the writer. Therefore each call has its own parts, and writes to memory.
func zipDocx(w io.Writer, parts []docxPart, text string) error {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, part := range parts {
		if err := storePart(z, part); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	r, err := docx.ReadDocxFromMemory(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		return err
	}
	file := r.Editable()
	file.SetContent(text)
	var out bytes.Buffer
	if err := file.Write(&out); err != nil {
		return err
	}
	return writeFile(w, &out)
}

// docxStyles returns the style sheet with the document's fonts and languages.
func docxStyles(s document, page docxPage) string {
	l := localeOf(s.Language)
	eastAsia, complexFont := "Yu Gothic", "Arial"
	langEastAsia, langComplex := "ja-JP", "ar-SA"
	switch {
	case l.script == kana, l.script == hans, l.script == hangul:
		eastAsia, langEastAsia = l.font, l.tag
	case l.script == devanagari && l.font != "":
		complexFont, langComplex = l.font, l.tag
	case l.script.complex():
		langComplex = l.tag
	}
	tag := l.tag
	if tag == "und" {
		tag = "en-US" // Word has no tag for an undetermined language
	}
	return strings.NewReplacer("{eastAsia}", eastAsia, "{complex}", complexFont, "{lang}", tag,
		"{langEastAsia}", langEastAsia, "{langComplex}", langComplex,
		"{textWidth}", strconv.Itoa(page.textWidth())).Replace(docxStyleSheet)
}

// docxCore returns the core properties (ECMA-376 part 2, 11).
func docxCore(s document, o Options) string {
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
