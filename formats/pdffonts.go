package formats

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/soundstage-dev/soundstage/formats/internal/cff"
	"github.com/soundstage-dev/soundstage/formats/internal/pdffile"
	"github.com/soundstage-dev/soundstage/formats/internal/typeset"
)

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
