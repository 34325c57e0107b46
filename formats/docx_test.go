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
	require.Contains(t, core, "<dc:title>The first computers</dc:title><dc:creator>Ada &amp; Co</dc:creator><cp:lastModifiedBy>Ada &amp; Co</cp:lastModifiedBy>")
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

// The meta line has the first twelve speakers, and an ellipsis if there are more.
func TestDOCXManySpeakers(t *testing.T) {
	t.Parallel()
	var all []transcript.Utterance
	var names []string
	for i := range 13 {
		if i == 12 {
			doc := parts(t, write(t, "docx", spoken("en", all...), formats.Options{}))["word/document.xml"]
			require.Contains(t, doc, " · English · "+strings.Join(names, ", ")+"<")
		}
		name := "Speaker " + string(rune('A'+i))
		all = append(all, say(name, time.Duration(i)*time.Second, "x"))
		names = append(names, name)
	}
	doc := parts(t, write(t, "docx", spoken("en", all...), formats.Options{}))["word/document.xml"]
	require.Contains(t, doc, " · English · "+strings.Join(names[:12], ", ")+", …<")
}

// The meta line has the duration of the media, or the end of the speech if it is unknown.
func TestDOCXDuration(t *testing.T) {
	t.Parallel()
	tr := spoken("en", say("A", 59*time.Second, "a", "b"))
	for duration, want := range map[time.Duration]string{90 * time.Minute: "01:30:00", 30 * time.Second: "00:00:30", 0: "00:01:00"} {
		tr.Duration = duration
		doc := parts(t, write(t, "docx", tr, formats.Options{}))["word/document.xml"]
		require.Contains(t, doc, `"Subtitle"/></w:pPr><w:r><w:t xml:space="preserve">`+want+" · English", duration)
	}
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
	for language, want := range map[transcript.Language][2]string{
		"ja": {`w:eastAsia="Yu Gothic" w:hAnsi="Calibri" w:cs="Arial"`, `<w:lang w:val="ja-JP" w:eastAsia="ja-JP" w:bidi="ar-SA"/>`},
		"zh": {`w:eastAsia="Microsoft YaHei" w:hAnsi="Calibri" w:cs="Arial"`, `<w:lang w:val="zh-CN" w:eastAsia="zh-CN" w:bidi="ar-SA"/>`},
		"ko": {`w:eastAsia="Malgun Gothic" w:hAnsi="Calibri" w:cs="Arial"`, `<w:lang w:val="ko-KR" w:eastAsia="ko-KR" w:bidi="ar-SA"/>`},
		"hi": {`w:eastAsia="Yu Gothic" w:hAnsi="Calibri" w:cs="Nirmala UI"`, `<w:lang w:val="hi-IN" w:eastAsia="ja-JP" w:bidi="hi-IN"/>`},
		"de": {`w:eastAsia="Yu Gothic" w:hAnsi="Calibri" w:cs="Arial"`, `<w:lang w:val="de-DE" w:eastAsia="ja-JP" w:bidi="ar-SA"/>`},
	} {
		styles := parts(t, write(t, "docx", passage(t, language), formats.Options{}))["word/styles.xml"]
		require.Contains(t, styles, want[0], language)
		require.Contains(t, styles, want[1], language)
	}
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
