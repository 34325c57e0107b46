package formats

import (
	"strconv"
	"strings"

	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// Cell styles: indexes of cellXfs in xlsxparts/styles.xml.
const (
	xlsxPlain = iota
	xlsxHead
	xlsxTime
	xlsxText
	xlsxTextRTL
	xlsxDuration
	xlsxPercent
)

// xlsxColumn is a column of a sheet.
type xlsxColumn struct {
	width int // in digits
	head  string
}

// xlsxSheet is a finished sheet.
type xlsxSheet struct{ name, xml string }

// sheetWriter builds a sheet: a head that stays in view, rows that can be filtered, and pages that are as wide as the columns.
type sheetWriter struct {
	strings.Builder
	name    string
	columns int
	rows    int
	column  int // of the next cell
}

func newSheet(name string, columns ...xlsxColumn) *sheetWriter {
	s := &sheetWriter{name: name, columns: len(columns)}
	s.WriteString(xmlHeader + `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView workbookViewId="0">` +
		`<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>`)
	for i, c := range columns {
		n := strconv.Itoa(i + 1)
		s.WriteString(`<col min="` + n + `" max="` + n + `" width="` + strconv.Itoa(c.width) + `" customWidth="1"/>`)
	}
	s.WriteString("</cols><sheetData>")
	s.row(1, func() {
		for _, c := range columns {
			s.cell(c.head, xlsxHead)
		}
	})
	return s
}

// Heights of rows, in points.
const (
	xlsxLine   = 15
	xlsxHeight = 409 // most that spreadsheets allow
)

// row writes a row that is as high as a number of lines; programs that measure wrapped text themselves may correct it. cells writes its cells
// from left to right.
func (s *sheetWriter) row(lines int, cells func()) {
	s.rows++
	s.column = 0
	s.WriteString(`<row r="` + strconv.Itoa(s.rows) + `" ht="` + strconv.Itoa(min(lines*xlsxLine, xlsxHeight)) + `">`)
	cells()
	s.WriteString("</row>")
}

// open begins a cell: its place and style.
func (s *sheetWriter) open(style int) {
	s.WriteString(`<c r="` + string(rune('A'+s.column)) + strconv.Itoa(s.rows) + `" s="` + strconv.Itoa(style) + `"`)
	s.column++
}

func (s *sheetWriter) number(v float64, style int) {
	s.open(style)
	s.WriteString("><v>" + strconv.FormatFloat(v, 'g', -1, 64) + "</v></c>")
}

// text writes a text of people. It is right-to-left if its first letter is.
func (s *sheetWriter) text(text string) {
	if startsRightToLeft(text) {
		s.cell(text, xlsxTextRTL)
	} else {
		s.cell(text, xlsxText)
	}
}

// cell writes a text as an inline string, which is never a formula. "_x0041_" would be read as an escaped character (ECMA-376 part 1,
// 22.9.2.19), so its underscore is escaped.
func (s *sheetWriter) cell(text string, style int) {
	s.open(style)
	s.WriteString(` t="inlineStr"><is><t xml:space="preserve">`)
	_, _ = xmlEscaper.WriteString(s, escapeHex(text))
	s.WriteString("</t></is></c>")
}

func escapeHex(text string) string {
	var b strings.Builder
	for from := 0; ; {
		i := strings.Index(text[from:], "_x")
		if i < 0 {
			return b.String() + text[from:]
		}
		b.WriteString(text[from : from+i])
		from += i + 1
		if hexEscape.MatchString(text[from:]) {
			b.WriteString("_x005F")
		}
		b.WriteByte('_')
	}
}

var hexEscape = lazyregexp.New(`^x[0-9A-Fa-f]{4}_`)

// end returns the sheet.
func (s *sheetWriter) end() xlsxSheet {
	s.WriteString(`</sheetData><autoFilter ref="A1:` + string(rune('A'+s.columns-1)) + strconv.Itoa(s.rows) + `"/>` +
		`<pageSetup orientation="landscape" fitToWidth="1" fitToHeight="0"/></worksheet>`)
	return xlsxSheet{s.name, s.String()}
}
