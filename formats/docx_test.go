package formats_test

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// parts unzips a docx and checks that every part is well-formed XML.
func parts(t *testing.T, file []byte) map[string]string {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	require.NoError(t, err)
	parts := map[string]string{}
	for _, f := range r.File {
		p, err := f.Open()
		require.NoError(t, err)
		content, err := io.ReadAll(p)
		require.NoError(t, err)
		parts[f.Name] = string(content)
		for d := xml.NewDecoder(bytes.NewReader(content)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err, f.Name)
		}
	}
	return parts
}

// docxText returns the text of a document's runs, without headings and labels.
func docxText(t *testing.T, document string) string {
	t.Helper()
	var b strings.Builder
	d, inText := xml.NewDecoder(strings.NewReader(document)), false
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return b.String()
		}
		require.NoError(t, err)
		switch e := token.(type) {
		case xml.StartElement:
			inText = e.Name.Local == "t"
		case xml.EndElement:
			inText = false
		case xml.CharData:
			if inText {
				b.Write(e)
			}
		}
	}
}

// A document has title, language, creator and dates, named styles, and page numbers.
func TestDOCX(t *testing.T) {
	t.Parallel()
	tr, o := interview()
	o.Creator, o.Modified = "Ada & Co", o.Created.Add(time.Hour)
	p := parts(t, write(t, "docx", tr, o))
	require.Len(t, p, 9)
	core := p["docProps/core.xml"]
	require.Contains(t, core, "<dc:title>The first computers</dc:title><dc:creator>Ada &amp; Co</dc:creator>")
	require.Contains(t, core, `<dcterms:created xsi:type="dcterms:W3CDTF">2026-03-01T12:00:00Z</dcterms:created><dcterms:modified xsi:type="dcterms:W3CDTF">2026-03-01T13:00:00Z<`)
	require.Contains(t, core, "<dc:language>en-US</dc:language>")
	doc := p["word/document.xml"]
	require.Contains(t, doc, `<w:pStyle w:val="Title"/></w:pPr><w:r><w:t xml:space="preserve">The first computers</w:t>`)
	require.Contains(t, doc, `<w:pStyle w:val="Subtitle"/></w:pPr><w:r><w:t xml:space="preserve">2026-03-01 · 00:00:24 · English · Speaker 0, Prof. Ada Byron</w:t>`)
	require.Contains(t, doc, `<w:pStyle w:val="Speaker"/></w:pPr><w:r><w:t xml:space="preserve">Prof. Ada Byron</w:t></w:r><w:r><w:t xml:space="preserve">  </w:t></w:r><w:r><w:rPr><w:rStyle w:val="Timestamp"/></w:rPr><w:t xml:space="preserve">00:00:10</w:t>`)
	require.NotContains(t, doc, "Heading1")
	require.Contains(t, p["word/settings.xml"], `w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"`)
	require.Contains(t, p["word/footer1.xml"], "NUMPAGES")
	o.OmitTimestamps = true
	require.NotContains(t, parts(t, write(t, "docx", tr, o))["word/document.xml"], "00:00:10")
}

// A long document has a heading for each 10 min block with speech.
func TestDOCXHeadings(t *testing.T) {
	t.Parallel()
	tr := spoken("en", say("A", 0, "a"), say("B", 9*time.Minute, "b"), say("A", 31*time.Minute, "c"), say("B", 32*time.Minute, "d"))
	doc := parts(t, write(t, "docx", tr, formats.Options{}))["word/document.xml"]
	require.Equal(t, 2, strings.Count(doc, "Heading1"))
	require.Contains(t, doc, `"Heading1"/></w:pPr><w:r><w:t xml:space="preserve">00:30:00</w:t>`)
}

// Each language has its tag; Chinese, Japanese, Korean and Hindi have their fonts.
func TestDOCXLanguages(t *testing.T) {
	t.Parallel()
	for _, language := range transcript.Languages() {
		tr := passage(t, language)
		p := parts(t, write(t, "docx", tr, formats.Options{}))
		require.Contains(t, letters(docxText(t, p["word/document.xml"])), letters(tr.Utterances[0].Text), language)
		require.Regexp(t, `<dc:language>`+string(language[:1])+`[a-z]-[A-Z]{2}<`, p["docProps/core.xml"])
		require.NotContains(t, p["word/styles.xml"], "{")
	}
	ja := parts(t, write(t, "docx", passage(t, "ja"), formats.Options{}))["word/styles.xml"]
	require.Contains(t, ja, `w:eastAsia="Yu Gothic"`)
	require.Contains(t, ja, `<w:lang w:val="ja-JP" w:eastAsia="ja-JP"`)
}

// Right-to-left text is marked, in paragraphs and runs; words of the other direction in it are not.
func TestDOCXRightToLeft(t *testing.T) {
	t.Parallel()
	tr := spoken("en", transcript.Utterance{Speaker: "A", Text: "שלום 42 world, עולם.", End: time.Second}, transcript.Utterance{Speaker: "B", Text: "he said שלום twice", Start: time.Second, End: 2 * time.Second})
	doc := parts(t, write(t, "docx", tr, formats.Options{}))["word/document.xml"]
	require.Contains(t, doc, `<w:p><w:pPr><w:bidi/></w:pPr><w:r><w:rPr><w:rtl/></w:rPr><w:t xml:space="preserve">שלום 42 </w:t></w:r>`+
		`<w:r><w:t xml:space="preserve">world, </w:t></w:r><w:r><w:rPr><w:rtl/></w:rPr><w:t xml:space="preserve">עולם.</w:t></w:r></w:p>`)
	require.Contains(t, doc, `<w:p><w:r><w:t xml:space="preserve">he said </w:t></w:r><w:r><w:rPr><w:rtl/></w:rPr><w:t xml:space="preserve">שלום </w:t></w:r><w:r><w:t xml:space="preserve">twice</w:t></w:r></w:p>`)
}

// Hostile text gives well-formed XML, and concurrent documents don't affect each other.
func TestDOCXHostile(t *testing.T) {
	t.Parallel()
	tr, o := hostile()
	text := docxText(t, parts(t, write(t, "docx", tr, o))["word/document.xml"])
	for _, u := range document(t, tr, o).Utterances {
		require.Contains(t, text, u.Text)
	}
	require.Contains(t, text, `Hostile <&"'> title`)
}
