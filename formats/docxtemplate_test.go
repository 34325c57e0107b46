package formats_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

const (
	wordXML   = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
	strictXML = "http://purl.oclc.org/ooxml/wordprocessingml/main"
	overrides = `<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>` +
		`<Override PartName="/word/header1.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.header+xml"/>` +
		`<Override PartName="/word/footer1.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.footer+xml"/>` +
		`<Override PartName="/word/footnotes.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"/>` +
		`<Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/>` +
		`<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>`
	typesXML  = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>` + overrides + `</Types>`
	relsXML   = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	officeXML = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
)

// text returns a paragraph of runs, one for each text.
func paragraphXML(texts ...string) string {
	var b strings.Builder
	for _, t := range texts {
		b.WriteString(`<w:r><w:t>` + t + `</w:t></w:r>`)
	}
	return "<w:p>" + b.String() + "</w:p>"
}

// template returns a Word document with this body, and more or other parts.
func template(t testing.TB, body string, more map[string]string) []byte {
	t.Helper()
	all := map[string]string{
		"[Content_Types].xml": typesXML,
		"_rels/.rels":         relsXML + `<Relationship Id="rId1" Type="` + officeXML + `/officeDocument" Target="word/document.xml"/></Relationships>`,
		"word/document.xml":   `<w:document xmlns:w="` + wordXML + `"><w:body>` + body + `</w:body></w:document>`,
	}
	maps.Copy(all, more)
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if all[name] == "" {
			continue
		}
		w, err := z.Create(name)
		require.NoError(t, err)
		_, err = io.WriteString(w, all[name])
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return b.Bytes()
}

// bomb returns a zip file with files of 1 MiB, each of which claims another size.
func bomb(t *testing.T, says uint64) []byte {
	t.Helper()
	var packed, b bytes.Buffer
	d, err := flate.NewWriter(&packed, flate.BestCompression)
	require.NoError(t, err)
	_, err = d.Write(make([]byte, 1<<20))
	require.NoError(t, err)
	require.NoError(t, d.Close())
	z := zip.NewWriter(&b)
	for _, name := range []string{"word/media/a.png", "word/media/b.png"} {
		w, err := z.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Deflate, UncompressedSize64: says, CompressedSize64: uint64(packed.Len())})
		require.NoError(t, err)
		_, err = w.Write(packed.Bytes())
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return b.Bytes()
}

// filled returns the text of a filled template's body: a line for each paragraph, and for each line break.
func filled(t *testing.T, body string) string {
	t.Helper()
	tr, o := full()
	o.Template = template(t, body, nil)
	return lines(t, parts(t, write(t, "docx", tr, o))["word/document.xml"])
}

func lines(t *testing.T, document string) string {
	t.Helper()
	document = strings.NewReplacer("<w:br/>", "<w:t>\n</w:t>", "</w:p>", "<w:t>\n</w:t></w:p>").Replace(document)
	return docxText(t, document)
}

const interviewText = "00:00:00  Welcome\nThe guest says hello.\nSpeaker 1  00:00:00\n" +
	"Good morning, and welcome to the show. Today we talk about the first computers, and about the people who programmed them before there were any.\n" +
	"Prof. Ada Byron  00:00:10\nThank you. I'm glad to be here. See https://example.com/a?b=1&c=2.\n" +
	"00:00:12  Ada & Charles\nSpeaker 1  00:00:12\nLet's begin with Ada Lovelace, who wrote in 1843 that the engine might compose elaborate and scientific pieces of music of any degree of complexity or extent. Was she right?\n" +
	"Prof. Ada Byron  00:00:24\nYes.\n01:00:00  After the end\n"

// templateCases are bodies of templates, and the text that they are filled with.
var templateCases = map[string]struct{ body, want string }{
	"each": {
		paragraphXML("{{title}}|{{date}}|{{source}}|{{duration}}|{{speakers}}"),
		"The first computers|2026-03-01|https://example.com/show.mp4|00:00:24|Speaker 1, Prof. Ada Byron\n",
	},
	"spaces and case":   {paragraphXML("a {{ Title\u00a0}} b {{TITLE}}c"), "a The first computers b The first computersc\n"},
	"divided":           {paragraphXML("a {", "{ti", "t", "le}", "} b"), "a The first computers b\n"},
	"two in a run":      {paragraphXML("{{title}}{{", "date}}", "{{title}}"), "The first computers2026-03-01The first computers\n"},
	"around a bookmark": {`<w:p><w:r><w:t>{{ti</w:t></w:r><w:bookmarkStart w:id="0" w:name="x"/><w:proofErr w:type="spellStart"/><w:r><w:t>tle}}</w:t></w:r><w:bookmarkEnd w:id="0"/></w:p>`, "The first computers\n"},
	"in a link":         {`<w:p><w:hyperlink w:anchor="x"><w:r><w:t>{{title}}</w:t></w:r></w:hyperlink></w:p>`, "The first computers\n"},
	"in a table":        {"<w:tbl><w:tr><w:tc>" + paragraphXML("{{title}}") + "</w:tc><w:tc>" + paragraphXML("{{summary}}") + "</w:tc></w:tr></w:tbl>", "The first computers\nWho wrote the first program?\nAda Lovelace, in 1843.\n"},
	"in a text box":     {"<w:p><w:r><w:t>{{date}}</w:t></w:r><w:r><w:pict><w:txbxContent>" + paragraphXML("{{title}}") + "</w:txbxContent></w:pict></w:r></w:p>", "2026-03-01The first computers\n\n"},
	"other markup":      {`<w:p><w:r><w:t>&lt;{{title}}&gt; &amp; </w:t><w:tab/><w:t xml:space="preserve"> {{date}}</w:t></w:r></w:p>`, "<The first computers> &  2026-03-01\n"},
	"alone":             {paragraphXML("{{summary}}") + paragraphXML("{{chapters}}"), "Who wrote the first program?\nAda Lovelace, in 1843.\n00:00:00  Welcome\n00:00:12  Ada & Charles\n01:00:00  After the end\n"},
	"transcript":        {paragraphXML("{{transcript}}"), interviewText},
	"inline":            {paragraphXML("a {{summary}} b"), "a Who wrote the first program?\nAda Lovelace, in 1843. b\n"},
	"inline transcript": {paragraphXML("-{{transcript}}"), "-" + strings.Replace(interviewText, "The guest says hello.\n", "", 1)},
	"with a bookmark":   {`<w:p><w:bookmarkStart w:id="0" w:name="x"/><w:r><w:t>{{summary}}</w:t></w:r><w:bookmarkEnd w:id="0"/></w:p>`, "Who wrote the first program?\nAda Lovelace, in 1843.\n\n"},
}

// A placeholder is found however Word divided it, whatever its case and spaces are, and filled with escaped text. One for paragraphs
// becomes paragraphs if it is alone, else lines.
func TestTemplatePlaceholders(t *testing.T) {
	t.Parallel()
	for name, c := range templateCases {
		require.Equal(t, c.want, filled(t, c.body), name)
	}
}

// What isn't known is empty. A paragraph of an empty placeholder stays, because a cell of a table needs one.
func TestTemplateEmpty(t *testing.T) {
	t.Parallel()
	file := template(t, paragraphXML("{{date}}{{source}}{{duration}}{{speakers}}.")+"<w:tbl><w:tr><w:tc>"+paragraphXML("{{transcript}}")+"</w:tc></w:tr></w:tbl>", nil)
	doc := parts(t, write(t, "docx", transcript.Transcript{}, formats.Options{Template: file}))["word/document.xml"]
	require.Equal(t, ".\n\n", lines(t, doc))
	require.Contains(t, doc, `<w:tc><w:p><w:r><w:t xml:space="preserve"></w:t></w:r></w:p></w:tc>`)
}

// Text of a transcript that looks like a placeholder, a mark, or markup stays as it is.
func TestTemplateHostile(t *testing.T) {
	t.Parallel()
	tr, o := hostile()
	tr.Utterances[1].Text = "{{title}} FILL0xtitlex FILL0x1x </w:t> &lt;"
	o.Title = "FILL0xdatex {{date}} <&>\""
	o.Template = template(t, paragraphXML("{{title}}")+paragraphXML("{{transcript}}"), map[string]string{
		"word/header1.xml": `<w:hdr xmlns:w="` + wordXML + `">` + paragraphXML("{{title}}") + "</w:hdr>",
	})
	p := parts(t, write(t, "docx", tr, o))
	text := lines(t, p["word/document.xml"])
	require.True(t, strings.HasPrefix(text, o.Title+"\n"), text[:80])
	require.Equal(t, o.Title+"\n", lines(t, p["word/header1.xml"]))
	d := document(t, tr, o)
	for _, u := range d.Utterances {
		require.Contains(t, letters(text), letters(u.Text))
	}
}

// Headers, footers, and properties are filled; every other part has the same bytes.
func TestTemplateParts(t *testing.T) {
	t.Parallel()
	tr, o := full()
	more := map[string]string{
		"word/header1.xml":      `<w:hdr xmlns:w="` + wordXML + `">` + paragraphXML("{{ti", "tle}}: {{speakers}}") + "</w:hdr>",
		"word/footer1.xml":      `<w:ftr xmlns:w="` + wordXML + `">` + paragraphXML("{{date}}") + "</w:ftr>",
		"docProps/core.xml":     `<cp:coreProperties xmlns:cp="x" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{{title}}</dc:title></cp:coreProperties>`,
		"customXml/item1.xml":   "<a>{{unknown}}</a>",
		"word/theme/theme1.xml": "<a/>",
		"word/fontTable.xml":    "<a/>",
	}
	o.Title = "R&D <1>"
	o.Template = template(t, paragraphXML("{{title}}"), more)
	p := parts(t, write(t, "docx", tr, o))
	require.Equal(t, "R&D <1>: Speaker 1, Prof. Ada Byron\n", lines(t, p["word/header1.xml"]))
	require.Equal(t, "2026-03-01\n", lines(t, p["word/footer1.xml"]))
	require.Contains(t, p["docProps/core.xml"], "<dc:title>R&amp;D &lt;1&gt;</dc:title>")
	for _, same := range []string{"customXml/item1.xml", "word/theme/theme1.xml", "word/fontTable.xml"} {
		require.Equal(t, more[same], p[same])
	}
	require.Equal(t, typesXML, p["[Content_Types].xml"])
}

// Paragraphs have the properties of the placeholder's, except for those that only one paragraph may have. Names are bold.
func TestTemplateLook(t *testing.T) {
	t.Parallel()
	tr, o := full()
	o.Chapters, tr.Utterances = nil, tr.Utterances[:2]
	o.Template = template(t, `<w:p w:rsidR="1"><w:pPr><w:pStyle w:val="Quote"/><w:pageBreakBefore/><w:jc w:val="both"/></w:pPr><w:r><w:rPr><w:rFonts w:ascii="A"/><w:sz w:val="30"/></w:rPr><w:t>{{transcript}}</w:t></w:r></w:p>`, nil)
	p := parts(t, write(t, "docx", tr, o))
	doc := p["word/document.xml"]
	for _, want := range []string{
		`<w:body><w:p><w:pPr><w:pStyle w:val="Quote"/><w:keepNext/><w:pageBreakBefore/><w:jc w:val="both"/></w:pPr><w:r><w:rPr><w:rFonts w:ascii="A"/><w:b/><w:bCs/><w:sz w:val="30"/></w:rPr><w:t xml:space="preserve">Speaker 1  </w:t></w:r><w:r><w:rPr><w:rFonts w:ascii="A"/><w:sz w:val="30"/></w:rPr><w:t>00:00:00</w:t></w:r></w:p>`,
		`<w:p><w:pPr><w:pStyle w:val="Quote"/><w:jc w:val="both"/></w:pPr><w:r><w:rPr><w:rFonts w:ascii="A"/><w:sz w:val="30"/></w:rPr><w:t>Good morning`,
		`r:id="rLink0x1" w:history="1"><w:r><w:rPr><w:rFonts w:ascii="A"/><w:sz w:val="30"/><w:u w:val="single"/></w:rPr><w:t>https://example.com/a`,
	} {
		require.Contains(t, doc, want)
	}
	require.Equal(t, 1, strings.Count(doc, "pageBreakBefore"))
	require.Contains(t, p["word/_rels/document.xml.rels"], `Id="rLink0x1" Type="`+officeXML+`/hyperlink" Target="https://example.com/a?b=1&amp;c=2"`)

	section := `<w:p><w:pPr><w:sectPr><w:pgSz w:w="1" w:h="1"/></w:sectPr></w:pPr><w:r><w:t>{{summary}}</w:t></w:r></w:p>`
	o.Template = template(t, section, nil)
	doc = parts(t, write(t, "docx", tr, o))["word/document.xml"]
	require.Equal(t, 1, strings.Count(doc, "<w:sectPr>"))
	require.Regexp(t, `in 1843\.</w:t></w:r></w:p><w:p><w:pPr><w:sectPr>`, doc)
}

// Styles of the template with known names are used.
func TestTemplateStyles(t *testing.T) {
	t.Parallel()
	tr, o := full()
	styles := `<w:styles xmlns:w="` + wordXML + `"><w:style w:type="paragraph" w:styleId="S1"><w:name w:val="Speaker"/></w:style><w:style w:type="character" w:styleId="T1"><w:name w:val="timestamp"/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style><w:style w:type="character" w:styleId="H1"><w:name w:val="Hyperlink"/></w:style></w:styles>`
	o.Template = template(t, paragraphXML("{{transcript}}"), map[string]string{"word/styles.xml": styles})
	doc := parts(t, write(t, "docx", tr, o))["word/document.xml"]
	require.Contains(t, doc, `<w:p><w:pPr><w:pStyle w:val="S1"/></w:pPr><w:r><w:t xml:space="preserve">Speaker 1  </w:t></w:r><w:r><w:rPr><w:rStyle w:val="T1"/></w:rPr><w:t>00:00:00</w:t>`)
	require.Contains(t, doc, `<w:pPr><w:pStyle w:val="berschrift2"/></w:pPr><w:r><w:rPr><w:rStyle w:val="T1"/></w:rPr><w:t>00:00:00</w:t></w:r>`)
	require.Contains(t, doc, `<w:rPr><w:rStyle w:val="H1"/></w:rPr><w:t>https://`)
}

// A link of the template to {{source}} gets its address, in the text and in headers.
func TestTemplateLinks(t *testing.T) {
	t.Parallel()
	tr, o := full()
	link := func(target string) string {
		return relsXML + `<Relationship Id="rId7" Type="` + officeXML + `/hyperlink" Target="` + target + `" TargetMode="External"/></Relationships>`
	}
	o.Source = "https://example.com/?a=1&b=2"
	for _, target := range []string{"{{source}}", "%7B%7b%20Source%7d%7D"} {
		o.Template = template(t, paragraphXML("{{title}}"), map[string]string{
			"word/_rels/document.xml.rels": link(target), "word/_rels/header1.xml.rels": link(target),
			"word/header1.xml": `<w:hdr xmlns:w="` + wordXML + `">` + paragraphXML("x") + "</w:hdr>",
		})
		p := parts(t, write(t, "docx", tr, o))
		require.Equal(t, link("https://example.com/?a=1&amp;b=2"), p["word/_rels/document.xml.rels"])
		require.Equal(t, link("https://example.com/?a=1&amp;b=2"), p["word/_rels/header1.xml.rels"])
	}
	o.Template = template(t, paragraphXML("{{title}}"), map[string]string{"word/_rels/document.xml.rels": link("{{title}}")})
	require.Equal(t, `The template links to "{{title}}": only {{source}} can be the address of a link.`, fault.Message(formats.WriteDOCX(io.Discard, tr, o)))
	o.Template, o.Source = template(t, paragraphXML("{{title}}"), map[string]string{"word/_rels/document.xml.rels": link("{{source}}")}), "talk.mp4"
	require.Equal(t, `The template links to {{source}}, but the source "talk.mp4" is no http or https address.`, fault.Message(formats.WriteDOCX(io.Discard, tr, o)))
}

// A template that can't be used is an error that says why.
func TestTemplateErrors(t *testing.T) {
	t.Parallel()
	header := func(text string) map[string]string {
		return map[string]string{"word/header1.xml": `<w:hdr xmlns:w="` + wordXML + `">` + paragraphXML(text) + "</w:hdr>"}
	}
	deep := "<w:document xmlns:w=\"" + wordXML + "\">" + strings.Repeat("<a>", 300) + strings.Repeat("</a>", 300) + "</w:document>"
	damaged := template(t, paragraphXML("{{title}}"), map[string]string{"a.bin": strings.Repeat("abcdefgh", 99)})
	damaged[bytes.Index(damaged, []byte("a.bin"))+30] ^= 0xff
	for name, c := range map[string]struct {
		file []byte
		code fault.Code
		want string
	}{
		"empty":          {[]byte{}, fault.CodeInvalid, "The template isn't a Word document."},
		"text":           {[]byte("{{title}}"), fault.CodeInvalid, "The template isn't a Word document."},
		"doc":            {[]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), fault.CodeInvalid, "The template is a Word 97 document (.doc), or has a password."},
		"other zip":      {template(t, "", map[string]string{"word/document.xml": ""}), fault.CodeInvalid, "The template isn't a Word document: it has no word/document.xml."},
		"no types":       {template(t, "", map[string]string{"[Content_Types].xml": "<Types/>"}), fault.CodeInvalid, "The template isn't a Word document: it has no word/document.xml."},
		"bad types":      {template(t, "", map[string]string{"[Content_Types].xml": "<Types>"}), fault.CodeInvalid, "The template's part [Content_Types].xml isn't valid XML."},
		"large":          {make([]byte, 32<<20+1), fault.CodeTooLarge, "The template has more than 32 MiB."},
		"macros":         {template(t, paragraphXML("{{title}}"), map[string]string{"word/vbaProject.bin": "x"}), fault.CodeInvalid, "The template has macros."},
		"macro type":     {template(t, paragraphXML("{{title}}"), map[string]string{"[Content_Types].xml": strings.Replace(typesXML, "wordprocessingml.document.main", "ms-word.document.macroEnabled.main", 1)}), fault.CodeInvalid, "The template has macros."},
		"damaged":        {damaged, fault.CodeInvalid, "The template's part a.bin is damaged."},
		"name":           {template(t, paragraphXML("{{title}}"), map[string]string{"word/../x": "x"}), fault.CodeInvalid, `The template has a part with the invalid name "word/../x".`},
		"names":          {template(t, paragraphXML("{{title}}"), map[string]string{"word/Document.xml": "x"}), fault.CodeInvalid, `The template has a part with the invalid name "word/document.xml".`},
		"bad XML":        {template(t, "<w:p>", nil), fault.CodeInvalid, "The template's part word/document.xml isn't valid XML."},
		"bad styles":     {template(t, "", map[string]string{"word/styles.xml": "<w:styles>"}), fault.CodeInvalid, "The template's part word/styles.xml isn't valid XML."},
		"other prefix":   {template(t, "", map[string]string{"word/document.xml": `<x:document xmlns:x="` + wordXML + `"/>`}), fault.CodeInvalid, "The template's part word/document.xml isn't WordprocessingML with the prefix w."},
		"deep":           {template(t, "", map[string]string{"word/document.xml": deep}), fault.CodeInvalid, "The template's part word/document.xml has elements nested more than 256 deep."},
		"DTD":            {template(t, "", map[string]string{"word/document.xml": `<!DOCTYPE x [<!ENTITY a "b">]><w:document xmlns:w="` + wordXML + `"/>`}), fault.CodeInvalid, "The template's part word/document.xml has a document type declaration."},
		"none":           {template(t, paragraphXML("title"), nil), fault.CodeInvalid, "The template has no placeholders."},
		"unknown":        {template(t, paragraphXML("{{title}} {{Titel}}"), nil), fault.CodeInvalid, "The template has an unknown placeholder: {{Titel}}."},
		"unknown, empty": {template(t, paragraphXML("{{", "a b}} {{}}")+paragraphXML("{{a b}}"), header("{{c}}")), fault.CodeInvalid, "The template has unknown placeholders: {{a b}}, {{}}, {{c}}."},
		"open":           {template(t, paragraphXML("{{title}} {{da", "te}")+paragraphXML("}"), nil), fault.CodeInvalid, `The template has a placeholder without }}: "{{date}".`},
		"open first":     {template(t, paragraphXML("{{a {{title}}"), nil), fault.CodeInvalid, `The template has a placeholder without }}: "{{a ".`},
		"in a header":    {template(t, paragraphXML("{{title}}"), header("{{transcript}}")), fault.CodeInvalid, "The template has {{transcript}} in a header, which is one line."},
		"in a footnote":  {template(t, paragraphXML("{{title}}"), map[string]string{"word/footnotes.xml": `<w:footnotes xmlns:w="` + wordXML + `">` + paragraphXML("{{title}}") + "</w:footnotes>"}), fault.CodeInvalid, "The template has {{title}} in word/footnotes.xml, which can't be filled."},
		"many":           {template(t, paragraphXML(strings.Repeat("{{title}}", 1001)), nil), fault.CodeTooLarge, "The template has more than 1000 placeholders."},
		"many blocks":    {template(t, strings.Repeat(paragraphXML("{{summary}}"), 101), nil), fault.CodeTooLarge, "The template has more than 100 placeholders for paragraphs."},
		"part too large": {template(t, paragraphXML(strings.Repeat(" ", 16<<20)), nil), fault.CodeTooLarge, "The template's part word/document.xml has more than 16 MiB."},
		"bomb":           {bomb(t, 256<<20+1), fault.CodeTooLarge, "The template has more than 256 MiB when it is unpacked."},
		"lying bomb":     {bomb(t, 1000), fault.CodeInvalid, "The template's part word/media/a.png is damaged."},
	} {
		tr, o := full()
		o.Template = c.file
		err := formats.WriteDOCX(io.Discard, tr, o)
		require.Equal(t, c.want, fault.Message(err), "%s: %v", name, err)
		require.Equal(t, c.code, fault.CodeOf(err), name)
	}
	tr, o := full()
	o.Summary = strings.Repeat("a", 1<<20)
	o.Template = template(t, paragraphXML("-", strings.Repeat("{{summary}}", 70)), nil)
	require.Equal(t, "The filled template would have more than 64 MiB.", fault.Message(formats.WriteDOCX(io.Discard, tr, o)))
}

// A Word template (.dotx) becomes a document, and one of ISO 29500 Strict stays strict.
func TestTemplateKinds(t *testing.T) {
	t.Parallel()
	tr, o := full()
	o.Template = template(t, paragraphXML("{{title}}"), map[string]string{"[Content_Types].xml": strings.Replace(typesXML, "document.main", "template.main", 1)})
	require.Equal(t, typesXML, parts(t, write(t, "docx", tr, o))["[Content_Types].xml"])
	o.Template = template(t, "", map[string]string{"word/document.xml": `<w:document xmlns:w="` + strictXML + `"><w:body>` + paragraphXML("{{transcript}}") + "</w:body></w:document>"})
	p := parts(t, write(t, "docx", tr, o))
	require.Contains(t, p["word/document.xml"], `xmlns:r="http://purl.oclc.org/ooxml/officeDocument/relationships"`)
	require.Contains(t, p["word/_rels/document.xml.rels"], `Type="http://purl.oclc.org/ooxml/officeDocument/relationships/hyperlink"`)
}

// A document of ours can be a template, and its links keep theirs.
func TestTemplateOfOurs(t *testing.T) {
	t.Parallel()
	tr, o := full()
	first := o
	first.Title, first.Summary = "About {{title}}", "{{transcript}}"
	first.Template = nil
	o.Template = write(t, "docx", spoken("en", say("A", 0, "Before", "https://example.org/b", "{{summary}}")), first)
	p := parts(t, write(t, "docx", tr, o))
	text := lines(t, p["word/document.xml"])
	require.Contains(t, text, "About The first computers\n")
	require.Contains(t, text, "Prof. Ada Byron  00:00:10\nThank you.")
	require.Contains(t, text, "Before https://example.org/b Who wrote")
	require.NotContains(t, text, "{{")
	ids := map[string]bool{}
	for _, m := range regexp.MustCompile(`Id="([^"]+)"`).FindAllStringSubmatch(p["word/_rels/document.xml.rels"], -1) {
		require.False(t, ids[m[1]], "two relationships have the ID %s", m[1])
		ids[m[1]] = true
	}
	for _, m := range regexp.MustCompile(`r:id="([^"]+)"`).FindAllStringSubmatch(p["word/document.xml"], -1) {
		require.True(t, ids[m[1]], m[1])
	}
}
