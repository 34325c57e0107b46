package formats

import (
	"fmt"
	"math"
	"unicode"

	"golang.org/x/text/width"
)

// docxPage is the paper of a document in twips (1/1440 in).
type docxPage struct{ width, height int }

const docxMargin = 1440 // on all sides

func docxPageOf(size pageSize) docxPage {
	return docxPage{int(math.Round(size.width * 20)), int(math.Round(size.height * 20))}
}

// textWidth returns the length of lines.
func (p docxPage) textWidth() int { return p.width - 2*docxMargin }

// section returns the properties of the document's only section.
func (p docxPage) section() string {
	return fmt.Sprintf(`<w:sectPr><w:footerReference xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" w:type="default" r:id="rId3"/>`+
		`<w:pgSz w:w="%d" w:h="%d"/><w:pgMar w:top="%[3]d" w:right="%[3]d" w:bottom="%[3]d" w:left="%[3]d" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr>`,
		p.width, p.height, docxMargin)
}

// docxSpace is the space that a paragraph of a style takes: its size of type, and the space above and below, in points.
type docxSpace struct{ size, before, after float64 }

// docxSpaces are the spaces of docxparts/styles.xml.
var docxSpaces = map[string]docxSpace{
	"":               {11, 0, 8},
	"Title":          {20, 0, 8},
	"Details":        {10, 0, 2},
	"Heading1":       {14, 16, 6},
	"Heading2":       {12, 14, 4},
	"Speaker":        {11, 6, 1},
	"ChapterSummary": {11, 0, 8},
	"TableText":      {10, 2, 2},
	"TOC2":           {11, 0, 3},
}

// docxPages estimates on which pages the chapters begin. Fonts and line breaks are those of the reader's word processor.
type docxPages struct {
	page docxPage
	used float64 // points since the start of the document
	gap  float64 // below the last paragraph
}

// number returns the number of the page that the next paragraph is on.
func (p *docxPages) number() int {
	const line = 30 // a heading is never the last line of a page
	return 1 + int((p.used+line)/p.textHeight())
}

func (p *docxPages) textHeight() float64 { return float64(p.page.height-2*docxMargin) / 20 }

// add adds a paragraph.
func (p *docxPages) add(s docxSpace, runs ...docxRun) {
	em, wide := 0.0, false
	for _, r := range runs {
		for _, c := range r.text {
			w := emWidth(c)
			em += w
			wide = wide || w == 1
		}
	}
	lines := math.Ceil(1.03 * em * s.size / (float64(p.page.textWidth()) / 20)) // 3 % of the lines stay empty
	pitch := 1.22 * 1.15
	if wide {
		pitch = 1.45 * 1.15
	}
	p.used += max(s.before, p.gap) + max(lines, 1)*s.size*pitch // only the larger space counts
	p.gap = s.after
}

// skip adds the table of contents.
func (p *docxPages) skip(entries int) {
	p.add(docxSpaces["Heading1"])
	for range entries {
		p.add(docxSpaces["TOC2"])
	}
}

// emWidth returns about how wide a character is in a sans-serif font, in parts of the size of type.
func emWidth(r rune) float64 {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r == ' ' || r == '.' || r == ',' || r == 'i' || r == 'l' || r == 'j' || r == '\'' || r == ':' || r == ';':
		return 0.24
	case r == 't' || r == 'f' || r == 'r':
		return 0.33
	case r == 'm' || r == 'M' || r == 'w' || r == 'W':
		return 0.8
	case unicode.IsUpper(r):
		return 0.58
	}
	if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
		return 1
	}
	if r < 0x250 {
		return 0.5
	}
	return 0.53
}
