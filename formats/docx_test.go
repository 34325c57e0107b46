package formats_test

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/fault"
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
	require.Contains(t, doc, `<w:pStyle w:val="Title"/></w:pPr><w:r><w:t>The first computers</w:t>`)
	require.Contains(t, doc, `<w:pStyle w:val="Details"/></w:pPr><w:r><w:rPr><w:rStyle w:val="Label"/></w:rPr><w:t>Date</w:t></w:r><w:r><w:tab/></w:r><w:r><w:t>2026-03-01</w:t>`)
	require.Contains(t, doc, `<w:pStyle w:val="Speaker"/></w:pPr><w:r><w:t xml:space="preserve">Prof. Ada Byron  </w:t></w:r><w:r><w:rPr><w:rStyle w:val="Timestamp"/></w:rPr><w:t>00:00:10</w:t>`)
	require.NotContains(t, doc, "Heading1")
	require.Contains(t, p["word/settings.xml"], `w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"`)
	require.Contains(t, p["word/footer1.xml"], "NUMPAGES")
	o.OmitTimestamps = true
	require.NotContains(t, parts(t, write(t, "docx", tr, o))["word/document.xml"], "00:00:10")
}

// The header has the first twelve speakers, and an ellipsis if there are more.
func TestDOCXManySpeakers(t *testing.T) {
	t.Parallel()
	var all []transcript.Utterance
	var names []string
	for i := range 13 {
		if i == 12 {
			doc := parts(t, write(t, "docx", spoken("en", all...), formats.Options{}))["word/document.xml"]
			require.Contains(t, doc, ">"+strings.Join(names, ", ")+"<")
		}
		name := "Speaker " + string(rune('A'+i))
		all = append(all, say(name, time.Duration(i)*time.Second, "x"))
		names = append(names, name)
	}
	doc := parts(t, write(t, "docx", spoken("en", all...), formats.Options{}))["word/document.xml"]
	require.Contains(t, doc, ">"+strings.Join(names[:12], ", ")+", …<")
}

// The header has the duration of the media, or the end of the speech if it is unknown.
func TestDOCXDuration(t *testing.T) {
	t.Parallel()
	tr := spoken("en", say("A", 59*time.Second, "a", "b"))
	for duration, want := range map[time.Duration]string{90 * time.Minute: "01:30:00", 30 * time.Second: "00:00:30", 0: "00:01:00"} {
		tr.Duration = duration
		doc := parts(t, write(t, "docx", tr, formats.Options{}))["word/document.xml"]
		require.Contains(t, doc, `Duration</w:t></w:r><w:r><w:tab/></w:r><w:r><w:t>`+want+"<", duration)
	}
}

// A long document has a heading for each 10 min block with speech.
func TestDOCXHeadings(t *testing.T) {
	t.Parallel()
	tr := spoken("en", say("A", 0, "a"), say("B", 9*time.Minute, "b"), say("A", 31*time.Minute, "c"), say("B", 32*time.Minute, "d"))
	doc := parts(t, write(t, "docx", tr, formats.Options{}))["word/document.xml"]
	require.Equal(t, 2, strings.Count(doc, "Heading1"))
	require.Contains(t, doc, `"Heading1"/></w:pPr><w:r><w:t>00:30:00</w:t>`)
	doc = parts(t, write(t, "docx", tr, formats.Options{Summary: "Short."}))["word/document.xml"]
	require.Equal(t, []string{"Title: Transcript", "Heading1: Summary", "Heading1: Transcript", "Heading2: 00:00:00", "Heading2: 00:30:00"}, outline(t, doc))
}

func docxParagraphs(document string) []string {
	return regexp.MustCompile(`(?s)<w:p>.*?</w:p>`).FindAllString(document, -1)
}

// unstyled returns the paragraphs that have no style of their own: what was said.
func unstyled(document string) string {
	said := slices.DeleteFunc(docxParagraphs(document), func(p string) bool { return strings.Contains(p, "<w:pStyle ") })
	return "<w:body>" + strings.Join(said, "") + "</w:body>"
}

// outline returns the headings of a document, each with its style.
func outline(t *testing.T, document string) []string {
	t.Helper()
	var all []string
	for _, p := range docxParagraphs(document) {
		if m := regexp.MustCompile(`<w:pStyle w:val="(Title|Heading\d)"`).FindStringSubmatch(p); m != nil {
			all = append(all, m[1]+": "+docxText(t, p))
		}
	}
	return all
}

// full returns a transcript with everything that a document can have.
func full() (transcript.Transcript, formats.Options) {
	t, o := interview()
	t.Utterances[1].Text += " See https://example.com/a?b=1&c=2."
	t.Utterances[1].Words = nil
	o.Source = "https://example.com/show.mp4"
	o.Summary = "Who wrote the first program?\nAda Lovelace, in 1843."
	o.Chapters = []formats.Chapter{{Title: "Welcome", Summary: "The guest says hello."}, {Start: 12 * time.Second, Title: "Ada & Charles"}, {Start: time.Hour, Title: "After the end"}}
	o.SpeakerTable = true
	return t, o
}

// The sections have headings of one level, and chapters those of the next. Turns have none.
func TestDOCXSections(t *testing.T) {
	t.Parallel()
	tr, o := full()
	doc := parts(t, write(t, "docx", tr, o))["word/document.xml"]
	require.Equal(t, []string{
		"Title: The first computers", "Heading1: Summary", "Heading1: Chapters", "Heading1: Speakers", "Heading1: Transcript",
		"Heading2: 00:00:00  Welcome", "Heading2: 00:00:12  Ada &amp; Charles", "Heading2: 01:00:00  After the end",
	}, outline(t, strings.ReplaceAll(doc, "&amp;", "&amp;amp;")))
	require.Contains(t, doc, `<w:p><w:r><w:t>Ada Lovelace, in 1843.</w:t></w:r></w:p>`)
	require.Contains(t, doc, `<w:pStyle w:val="ChapterSummary"/></w:pPr><w:r><w:t>The guest says hello.</w:t>`)
	o.OmitTimestamps = true
	require.Contains(t, outline(t, parts(t, write(t, "docx", tr, o))["word/document.xml"]), "Heading2: Welcome")
}

// The table of contents is a field whose entries are there: each has a link to its chapter's bookmark and a page number. Nothing asks
// word processors to update fields, which opens a dialogue.
func TestDOCXContents(t *testing.T) {
	t.Parallel()
	tr, o := full()
	p := parts(t, write(t, "docx", tr, o))
	doc := p["word/document.xml"]
	for i, title := range []string{"00:00:00  Welcome", "00:00:12  Ada & Charles", "01:00:00  After the end"} {
		bookmark := fmt.Sprintf("_Toc1000000%d", i+1)
		require.Equal(t, 1, strings.Count(doc, fmt.Sprintf(`<w:bookmarkStart w:id="%d" w:name="%s"/>`, i, bookmark)))
		entry := regexp.MustCompile(`<w:hyperlink w:anchor="` + bookmark + `".*?</w:hyperlink>`).FindString(doc)
		require.Regexp(t, "^"+title+"[1-3]$", docxText(t, entry), "its text and page")
		require.Contains(t, entry, ` PAGEREF `+bookmark+` \h `)
	}
	require.Equal(t, 1, strings.Count(doc, `TOC \o "2-2" \h \z`))
	require.Equal(t, strings.Count(doc, `"begin"`), strings.Count(doc, `fldCharType="end"`))
	require.NotContains(t, doc, "w:dirty")
	require.NotContains(t, p["word/settings.xml"], "updateFields")
	o.Chapters = nil
	require.NotContains(t, parts(t, write(t, "docx", tr, o))["word/document.xml"], "TOC")
}

// The page numbers of the table of contents differ from those of LibreOffice by 1 at most.
func TestDOCXPages(t *testing.T) {
	t.Parallel()
	tr := talk(t, "en", 2)
	var o formats.Options
	for at := range 8 {
		o.Chapters = append(o.Chapters, formats.Chapter{Start: time.Duration(at) * tr.Duration / 8, Title: "Part"})
	}
	doc := parts(t, write(t, "docx", tr, o))["word/document.xml"]
	numbers := regexp.MustCompile(`"separate"/></w:r><w:r><w:t>(\d+)</w:t>`).FindAllStringSubmatch(doc, -1)
	require.Len(t, numbers, 8)
	for i, n := range numbers {
		page, err := strconv.Atoi(n[1])
		require.NoError(t, err)
		require.InDelta(t, []int{1, 9, 17, 25, 33, 40, 49, 57}[i], page, 1, "chapter %d", i)
	}
}

// Addresses are links: the source and those in the text. What can't be a link is only text.
func TestDOCXLinks(t *testing.T) {
	t.Parallel()
	tr, o := full()
	p := parts(t, write(t, "docx", tr, o))
	rels := p["word/_rels/document.xml.rels"]
	for id, address := range map[string]string{"rLink1": "https://example.com/show.mp4", "rLink2": "https://example.com/a?b=1&c=2"} {
		require.Regexp(t, `r:id="`+id+`" w:history="1"><w:r><w:rPr><w:rStyle w:val="Hyperlink"/></w:rPr><w:t>`+regexp.QuoteMeta(html.EscapeString(address))+"<", p["word/document.xml"])
		require.Regexp(t, `Id="`+id+`" Type="[^"]*/hyperlink" Target="`+regexp.QuoteMeta(html.EscapeString(address))+`" TargetMode="External"/>`, rels)
	}
	for _, source := range []string{"talk.mp4", "javascript:alert(1)", "https://%zz", "https:///x"} {
		p := parts(t, write(t, "docx", transcript.Transcript{}, formats.Options{Source: source}))
		require.NotContains(t, p["word/_rels/document.xml.rels"], "hyperlink", source)
		require.Contains(t, p["word/document.xml"], `<w:t>`+source+"<")
	}
}

// The table of speakers has a header row that each page repeats, and a row for each speaker.
func TestDOCXSpeakers(t *testing.T) {
	t.Parallel()
	tr, o := full()
	doc := parts(t, write(t, "docx", tr, o))["word/document.xml"]
	var rows []string
	for _, r := range regexp.MustCompile(`<w:tr>.*?</w:tr>`).FindAllString(doc, -1) {
		rows = append(rows, docxText(t, strings.ReplaceAll(r, "</w:p>", "<w:t>|</w:t></w:p>")))
	}
	require.Equal(t, []string{"Speaker|Speaking time|%|", "Speaker 1|00:00:19|88%|", "Prof. Ada Byron|00:00:03|12%|"}, rows)
	require.Equal(t, 1, strings.Count(doc, "<w:trPr><w:cantSplit/><w:tblHeader/></w:trPr>"))
	tr, o = transcript.Transcript{}, formats.Options{SpeakerTable: true}
	require.NotContains(t, parts(t, write(t, "docx", tr, o))["word/document.xml"], "<w:tbl>")
}

// The paper is Letter for English and A4 for other languages, or as the options say. Lines of the table of contents end at its margin.
func TestDOCXPaper(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language    transcript.Language
		paper       formats.Paper
		size, width string
	}{
		{"en", "", `w:w="12240" w:h="15840"`, "9360"},
		{"de", "", `w:w="11906" w:h="16838"`, "9026"},
		{"en", formats.PaperA4, `w:w="11906" w:h="16838"`, "9026"},
	} {
		p := parts(t, write(t, "docx", transcript.Transcript{Language: c.language}, formats.Options{Paper: c.paper}))
		require.Contains(t, p["word/document.xml"], "<w:pgSz "+c.size+"/>")
		require.Contains(t, p["word/styles.xml"], `w:leader="dot" w:pos="`+c.width+`"`)
	}
	err := formats.WriteDOCX(io.Discard, transcript.Transcript{}, formats.Options{Paper: "a5"})
	require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
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
		`<w:r><w:t xml:space="preserve">world, </w:t></w:r><w:r><w:rPr><w:rtl/></w:rPr><w:t>עולם.</w:t></w:r></w:p>`)
	require.Contains(t, doc, `<w:p><w:r><w:t xml:space="preserve">he said </w:t></w:r><w:r><w:rPr><w:rtl/></w:rPr><w:t xml:space="preserve">שלום </w:t></w:r><w:r><w:t>twice</w:t></w:r></w:p>`)
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
