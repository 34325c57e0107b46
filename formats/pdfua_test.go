package formats_test

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// uaCheck is a failure condition of the Matterhorn Protocol 1.1 that a program can check: problems returns what is wrong with a
// file, and damage makes a conforming file fail.
type uaCheck struct {
	condition string
	problems  func(f *pdfFile) []string
	damage    func(f *pdfFile)
}

// problem returns a problem if it is one.
func problem(wrong bool, format string, args ...any) []string {
	if wrong {
		return []string{fmt.Sprintf(format, args...)}
	}
	return nil
}

// uaChecks are the conditions for what our files have. Other conditions are about forms, media, mathematics, and encryption, which
// "no such object" excludes.
var uaChecks = slices.Concat(uaContentChecks, uaDocumentChecks, uaStructureChecks, uaLinkChecks, uaFontChecks)

var uaContentChecks = []uaCheck{
	{"01-003, 01-004 no artifact overlaps tagged content", func(f *pdfFile) (all []string) {
		for _, p := range f.painted() {
			all = append(all, problem(p.problem != "", "%s: %s", p.page, p.problem)...)
		}
		return all
	}, func(f *pdfFile) { replaceContent(f, "/H1 <</MCID 0>> BDC\n", "/H1 <</MCID 0>> BDC /Artifact BMC\n", 1) }},
	{"01-005 all content is tagged or an artifact", func(f *pdfFile) (all []string) {
		for _, p := range f.painted() {
			all = append(all, problem(p.mcid < 0 && !p.artifact, "%s on %s", p.operator, p.page)...)
		}
		return all
	}, func(f *pdfFile) { replaceContent(f, "/Artifact <</Type /Pagination /Subtype /Footer>>", "/Span", 1) }},
	{"01-006 the parent of each mark has it as a kid", func(f *pdfFile) (all []string) {
		for _, p := range f.painted() {
			if p.mcid < 0 {
				continue
			}
			parents := f.list(f.parent(f.get(p.page, "/StructParents")))
			if p.mcid >= len(parents) {
				all = append(all, fmt.Sprintf("mark %d on %s has no parent", p.mcid, p.page))
				continue
			}
			e, found := f.dict(parents[p.mcid]), false
			for _, kid := range f.list(e, "/K") {
				switch k := kid.(type) {
				case float64:
					found = found || int(k) == p.mcid && e["/Pg"] == p.page
				case dict:
					found = found || k["/MCID"] == float64(p.mcid) && k["/Pg"] == p.page
				}
			}
			all = append(all, problem(!found, "mark %d on %s", p.mcid, p.page)...)
		}
		return all
	}, func(f *pdfFile) { f.first("/H1")["/K"] = []any{float64(77)} }},
	{"30-001, 30-002 no such object: external or form XObject", func(f *pdfFile) (all []string) {
		for _, page := range f.pages() {
			all = append(all, problem(f.get(page, "/Resources", "/XObject") != nil, "%s has XObjects", page)...)
		}
		return all
	}, func(f *pdfFile) { f.dict(f.pages()[0], "/Resources")["/XObject"] = dict{} }},
}

// replaceContent edits the content of the first page.
func replaceContent(f *pdfFile, old, replacement string, n int) {
	ref := f.dict(f.pages()[0])["/Contents"]
	f.setData(ref, strings.Replace(string(f.data(ref)), old, replacement, n))
}

var uaDocumentChecks = []uaCheck{
	{"01-007 no suspects, and the file is tagged", func(f *pdfFile) []string {
		m := f.dict(f.catalog(), "/MarkInfo")
		return problem(m["/Marked"] != true || m["/Suspects"] == true, "%v", m)
	}, func(f *pdfFile) { f.dict(f.catalog(), "/MarkInfo")["/Suspects"] = true }},
	{"06-001 there is a metadata stream", func(f *pdfFile) []string {
		return problem(f.get(f.catalog(), "/Metadata", "/Subtype") != "/XML" || xml.Unmarshal(f.data(f.catalog()["/Metadata"]), &struct{}{}) != nil, "no XML")
	}, func(f *pdfFile) { delete(f.catalog(), "/Metadata") }},
	{"06-002 the metadata has the PDF/UA identifier", func(f *pdfFile) []string {
		return problem(f.metadata().UAPart != "1", "part %q", f.metadata().UAPart)
	}, func(f *pdfFile) { replaceMetadata(f, "pdfuaid:part>1<", "pdfuaid:part>2<") }},
	{"06-003 the metadata has a title, and equals the properties", func(f *pdfFile) []string {
		m, info := f.metadata(), f.dict(f.objects["trailer"]["value"], "/Info")
		want := fmt.Sprint(info["/Title"], info["/Author"], info["/Creator"], info["/Producer"], dateOf(info["/CreationDate"]), dateOf(info["/ModDate"]))
		got := fmt.Sprint("u:"+m.Title, "u:"+m.Author, "u:"+m.Tool, "u:"+m.Producer, m.Created, m.Modified)
		return problem(m.Title == "" || got != want, "%s, not %s", got, want)
	}, func(f *pdfFile) { replaceMetadata(f, "T12:00:00Z", "T13:00:00Z") }},
	{"07-001, 07-002 viewers show the title", func(f *pdfFile) []string {
		return problem(f.get(f.catalog(), "/ViewerPreferences", "/DisplayDocTitle") != true, "DisplayDocTitle")
	}, func(f *pdfFile) { f.dict(f.catalog(), "/ViewerPreferences")["/DisplayDocTitle"] = false }},
	{"11-001 to 11-006 there is a language for text, outlines, and contents of links", func(f *pdfFile) []string {
		lang, _ := f.catalog()["/Lang"].(string)
		return problem(len(lang) < len("u:en") || f.metadata().Language != strings.TrimPrefix(lang, "u:"), "%q", lang)
	}, func(f *pdfFile) { delete(f.catalog(), "/Lang") }},
	{"20, 21, 25, 26 no such object: layers, files, forms, encryption", func(f *pdfFile) []string {
		c := f.catalog()
		return problem(c["/OCProperties"] != nil || c["/Names"] != nil || c["/AcroForm"] != nil || f.dict(f.objects["trailer"]["value"])["/Encrypt"] != nil, "%v", c)
	}, func(f *pdfFile) { f.catalog()["/AcroForm"] = dict{"/XFA": []any{}} }},
}

// pdfXMP is the metadata of a PDF.
type pdfXMP struct {
	Title    string `xml:"title>Alt>li"`
	Author   string `xml:"creator>Seq>li"`
	Language string `xml:"language>Bag>li"`
	Tool     string `xml:"http://ns.adobe.com/xap/1.0/ CreatorTool"`
	Producer string `xml:"http://ns.adobe.com/pdf/1.3/ Producer"`
	Created  string `xml:"http://ns.adobe.com/xap/1.0/ CreateDate"`
	Modified string `xml:"http://ns.adobe.com/xap/1.0/ ModifyDate"`
	UAPart   string `xml:"http://www.aiim.org/pdfua/ns/id/ part"`
}

func (f *pdfFile) metadata() pdfXMP {
	var m struct {
		Description pdfXMP `xml:"RDF>Description"`
	}
	_ = xml.Unmarshal(f.data(f.catalog()["/Metadata"]), &m) // 06-001 checks it
	return m.Description
}

func replaceMetadata(f *pdfFile, old, replacement string) {
	ref := f.catalog()["/Metadata"]
	f.setData(ref, strings.ReplaceAll(string(f.data(ref)), old, replacement))
}

// dateOf converts a date of PDF into one of XML.
func dateOf(v any) string {
	d, _ := v.(string)
	d = strings.TrimPrefix(d, "u:D:")
	if len(d) != len("20260301120000Z") {
		return d
	}
	return d[:4] + "-" + d[4:6] + "-" + d[6:8] + "T" + d[8:10] + ":" + d[10:12] + ":" + d[12:]
}

// Files of all kinds pass every check, and each check fails for a file with that one mistake.
func TestValidatorPDFUA(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it runs other programs")
	tr, o := withSections()
	sections := file(t, "pdf", tr, o)
	hostileText, hostileOptions := hostile()
	hostileOptions.SpeakerTable = true
	files := []string{sections, file(t, "pdf", hostileText, hostileOptions), file(t, "pdf", transcript.Transcript{}, formats.Options{}), file(t, "pdf", talk(t, "en", 0.5), formats.Options{})}
	for _, language := range []transcript.Language{"de", "hi", "ja", "ko"} {
		o.Title = string(language)
		files = append(files, file(t, "pdf", passage(t, language), o))
	}
	for _, path := range files {
		f := readPDF(t, path)
		require.Equal(t, "1.7", f.version)
		require.NotEmpty(t, f.painted())
		for _, c := range uaChecks {
			require.Empty(t, c.problems(f), "%s: %s", path, c.condition)
		}
	}
	for _, c := range uaChecks {
		f := readPDF(t, sections)
		c.damage(f)
		require.NotEmpty(t, c.problems(f), c.condition)
	}
}
