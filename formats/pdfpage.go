package formats

import "github.com/soundstage-dev/soundstage/formats/internal/typeset"

// Measures in points.
const (
	margin     = 72.0
	footerY    = 40.0
	textSize   = 10.5
	smallSize  = 9.0
	footerSize = 8.5
	columnGap  = 12.0
	timeGap    = 5.0 // between a name and its time
)

// ink is the operators that set the colour of text.
type ink string

// All inks have a contrast of at least 7 on white (WCAG 2.2, 1.4.6).
const (
	black   ink = "0.00 g 0.00 G"
	gray    ink = "0.33 g 0.33 G"
	linkInk ink = "0.05 0.28 0.63 rg 0.05 0.28 0.63 RG"
	ruleInk     = "0.70 G"
)

// textStyle is the style of a text.
type textStyle struct {
	weight typeset.Weight
	size   float64
	tight  float64 // how much less than the leading of the text its lines are apart, in sizes
	color  ink
}

var (
	titleStyle   = textStyle{typeset.Bold, 20, 0.2, black}
	sectionStyle = textStyle{typeset.Bold, 14, 0.15, black}
	chapterStyle = textStyle{typeset.Bold, 12, 0.1, black}
	labelStyle   = textStyle{typeset.Regular, smallSize, 0, gray}
	detailStyle  = textStyle{typeset.Regular, smallSize, 0, black}
	nameStyle    = textStyle{typeset.Bold, textSize, 0, black}
	timeStyle    = textStyle{typeset.Regular, smallSize, 0, gray}
	bodyStyle    = textStyle{typeset.Regular, textSize, 0, black}
	footerStyle  = textStyle{typeset.Regular, footerSize, 0, gray}
)

// inked returns the style in another colour.
func (k textStyle) inked(color ink) textStyle {
	k.color = color
	return k
}

// pdfPage is what is drawn on a page.
type pdfPage struct {
	lines     []pdfLine
	rules     []pdfRule
	bookmarks []pdfBookmark
}

// pdfLine is a positioned line of glyphs; y is its baseline, from the bottom.
type pdfLine struct {
	element int
	glyphs  []typeset.Placed
	widths  []typeset.Glyph
	style   textStyle
	x, y    float64
}

// pdfRule is a horizontal line.
type pdfRule struct{ left, right, y float64 }

type pdfBookmark struct {
	text  string
	level int
	y     float64 // from the top
}

// column is where lines go, from left to right.
type column struct{ left, right float64 }

func (c column) width() float64 { return c.right - c.left }

// pdfPlace is where a link inside the document leads to.
type pdfPlace struct {
	page int
	y    float64 // from the bottom
}
