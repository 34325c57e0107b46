package formats

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/soundstage-dev/soundstage/formats/internal/cff"
	"github.com/soundstage-dev/soundstage/formats/internal/pdffile"
	"github.com/soundstage-dev/soundstage/formats/internal/typeset"
)

// resourcesObject is the number that gofpdf gives to the resources of all pages.
const resourcesObject = 2

var outlineRef = regexp.MustCompile(`/Outlines (\d+ 0 R)`)

// finishPDF adds fonts, structure, language and properties to gofpdf's output.
func finishPDF(made []byte, s script, o Options, setter *typeset.Setter, elements []pdfElement) ([]byte, error) {
	f, err := pdffile.Parse(made)
	if err != nil {
		return nil, err
	}
	f.Compress()
	var pages []int
	info := 0
	for n := 1; n <= f.Len(); n++ {
		switch object := f.Object(n); {
		case bytes.HasPrefix(object, []byte("<</Type /Page\n")):
			pages = append(pages, n)
		case bytes.HasPrefix(object, []byte("<<\n/Producer")):
			info = n
		}
	}
	for i, n := range pages {
		f.Set(n, strings.TrimSuffix(string(f.Object(n)), ">>")+fmt.Sprintf(" /StructParents %d /Tabs /S>>", i))
	}
	regular := addFont(f, "SoundstageText", setter.Glyphs(typeset.Regular))
	bold := addFont(f, "SoundstageText-Bold", setter.Glyphs(typeset.Bold))
	f.Set(resourcesObject, fmt.Sprintf("<</ProcSet [/PDF /Text] /Font <</R %s /B %s>>>>", pdffile.Ref(regular), pdffile.Ref(bold)))
	outlines := ""
	if m := outlineRef.FindSubmatch(f.Object(f.Root)); m != nil {
		outlines = " /PageMode /UseOutlines /Outlines " + string(m[1])
	}
	lang := localeOf(s.Language).tag
	f.Set(f.Root, fmt.Sprintf("<</Type /Catalog /Pages 1 0 R%s /Lang (%s) /ViewerPreferences <</DisplayDocTitle true>> /MarkInfo <</Marked true>> /StructTreeRoot %s>>",
		outlines, lang, pdffile.Ref(addStructure(f, pages, elements))))
	f.Set(info, pdfInfo(s, o))
	return f.Bytes(info), nil
}

// pdfInfo returns the document information dictionary (ISO 32000-1, 14.3.3).
func pdfInfo(s script, o Options) string {
	info := "<</Title " + pdffile.Text(s.headline()) + " /Author " + pdffile.Text(o.creator()) +
		" /Creator " + pdffile.Text(defaultCreator) + " /Producer " + pdffile.Text("Soundstage with gofpdf")
	if !o.Created.IsZero() {
		info += " /CreationDate " + pdffile.Date(o.Created)
	}
	if m := o.modified(); !m.IsZero() {
		info += " /ModDate " + pdffile.Date(m)
	}
	return info + ">>"
}

// addStructure adds the structure tree (ISO 32000-1, 14.7), a document with headings and paragraphs, and returns its root.
func addStructure(f *pdffile.File, pages []int, elements []pdfElement) int {
	root, document := f.Reserve(), f.Reserve()
	parents := make([][]string, len(pages)) // for each page, the element of each mark
	var kids strings.Builder
	for _, e := range elements {
		if len(e.marks) == 0 {
			continue
		}
		n := f.Reserve()
		var content strings.Builder
		for _, m := range e.marks {
			parents[m.page] = append(parents[m.page], pdffile.Ref(n))
			if m.page == e.marks[0].page {
				fmt.Fprintf(&content, "%d ", m.id)
			} else {
				fmt.Fprintf(&content, "<</Type /MCR /Pg %s /MCID %d>> ", pdffile.Ref(pages[m.page]), m.id)
			}
		}
		f.Set(n, fmt.Sprintf("<</S /%s /P %s /Pg %s /K [%s]>>", e.tag, pdffile.Ref(document), pdffile.Ref(pages[e.marks[0].page]), content.String()))
		kids.WriteString(pdffile.Ref(n) + " ")
	}
	var numbers strings.Builder
	for i, p := range parents {
		fmt.Fprintf(&numbers, "%d [%s] ", i, strings.Join(p, " "))
	}
	tree := f.Add("<</Nums [" + numbers.String() + "]>>")
	f.Set(document, fmt.Sprintf("<</S /Document /P %s /K [%s]>>", pdffile.Ref(root), kids.String()))
	f.Set(root, fmt.Sprintf("<</Type /StructTreeRoot /K %s /ParentTree %s /ParentTreeNextKey %d>>", pdffile.Ref(document), pdffile.Ref(tree), len(pages)))
	return root
}

// addFont adds a font with the glyphs of one weight and returns its number. Codes equal CIDs and glyph indices.
func addFont(f *pdffile.File, name string, glyphs []typeset.Glyph) int {
	outlines := make([]cff.Glyph, len(glyphs))
	var widths strings.Builder
	for i, g := range glyphs {
		outlines[i] = g.Outline()
		fmt.Fprintf(&widths, "%d ", g.Width)
	}
	const ascent, descent = 1000, -300
	bbox := [4]int{-1000, descent, 2000, ascent}
	name = fmt.Sprintf("%s+%s", subsetTag(len(glyphs)), name)
	program := f.AddStream(" /Subtype /CIDFontType0C", cff.Write(name, bbox, outlines))
	descriptor := f.Add(fmt.Sprintf("<</Type /FontDescriptor /FontName /%s /Flags 4 /FontBBox [%d %d %d %d] /ItalicAngle 0 /Ascent %d /Descent %d /CapHeight 700 /StemV 80 /FontFile3 %s>>",
		name, bbox[0], bbox[1], bbox[2], bbox[3], ascent, descent, pdffile.Ref(program)))
	descendant := f.Add(fmt.Sprintf("<</Type /Font /Subtype /CIDFontType0 /BaseFont /%s /CIDSystemInfo <</Registry (Adobe) /Ordering (Identity) /Supplement 0>> /FontDescriptor %s /DW 1000 /W [0 [%s]]>>",
		name, pdffile.Ref(descriptor), widths.String()))
	unicode := f.AddStream("", toUnicode(glyphs))
	return f.Add(fmt.Sprintf("<</Type /Font /Subtype /Type0 /BaseFont /%s /Encoding /Identity-H /DescendantFonts [%s] /ToUnicode %s>>",
		name, pdffile.Ref(descendant), pdffile.Ref(unicode)))
}

// subsetTag returns the six letters that mark a subset (ISO 32000-1, 9.6.4).
func subsetTag(n int) string {
	tag := []byte("AAAAAA")
	for i := len(tag) - 1; n > 0; i, n = i-1, n/26 {
		tag[i] = byte('A' + n%26)
	}
	return string(tag)
}

// toUnicode returns the map from codes to text (ISO 32000-1, 9.10.3).
func toUnicode(glyphs []typeset.Glyph) []byte {
	var b bytes.Buffer
	b.WriteString("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def\n" +
		"/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n")
	const block = 100 // the most that is allowed
	for from := 1; from < len(glyphs); from += block {
		to := min(from+block, len(glyphs))
		fmt.Fprintf(&b, "%d beginbfchar\n", to-from)
		for code := from; code < to; code++ {
			fmt.Fprintf(&b, "<%04X> <%s>\n", code, pdffile.Hex16(glyphs[code].Text))
		}
		b.WriteString("endbfchar\n")
	}
	b.WriteString("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n")
	return b.Bytes()
}
