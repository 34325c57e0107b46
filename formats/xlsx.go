package formats

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"io"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Limits of spreadsheet programs.
const (
	xlsxRows = 1 << 20 // per sheet, with the head
	xlsxCell = 32_767  // UTF-16 code units of a text
)

const xlsxTextWidth = 100 // of the column of texts, in digits

//go:embed xlsxparts/styles.xml
var xlsxStyleSheet string

// WriteXLSX writes a workbook (ECMA-376): a row with start, end, speaker, and text per utterance below a frozen head, and with
// Options.SpeakerTable a second sheet with the times of the speakers. Times are numbers in the format [hh]:mm:ss.000. Texts are inline
// strings with the mark of a leading apostrophe, so that spreadsheets don't run them as formulas, even after editing. An utterance that is too long for a cell has several rows.
// CodeTooLarge for more rows than a sheet can have, 1,048,576 with the head.
//
// The parts are written here, not by a library: excelize adds 5.9 MB to a program.
func WriteXLSX(w io.Writer, t transcript.Transcript, o Options) error {
	s := prepareDocument(t, o)
	rows := s.xlsxUtterances()
	if len(rows) >= xlsxRows {
		return fault.Errorf(fault.CodeTooLarge, "WriteXLSX", "A sheet can have %d utterances; the transcript has %d.", xlsxRows-1, len(rows)).
			WithHint("Write csv instead.")
	}
	sheets := []xlsxSheet{s.transcriptSheet(rows)}
	if o.SpeakerTable {
		sheets = append(sheets, s.speakerSheet())
	}
	var b bytes.Buffer
	if err := writeWorkbook(&b, sheets, docxCore(s, o)); err != nil {
		return err
	}
	return writeFile(w, &b)
}

// xlsxUtterances returns the utterances, and for one that is too long for a cell its parts.
func (d document) xlsxUtterances() []captions.Utterance {
	rows := make([]captions.Utterance, 0, len(d.Utterances))
	for _, u := range d.Utterances {
		if fitsCell(u.Text) {
			rows = append(rows, u)
			continue
		}
		for _, p := range appendParagraphs(nil, u, d.pieces([]captions.Utterance{u}, true), false) {
			for rest := p.Text; rest != ""; {
				p.Text, rest = cutCell(rest)
				rows = append(rows, p)
			}
		}
	}
	return rows
}

func fitsCell(text string) bool {
	return len(text) <= xlsxCell || len(utf16.Encode([]rune(text))) <= xlsxCell
}

// cutCell returns the part of a text that fits a cell, and the rest.
func cutCell(text string) (head, rest string) {
	units := 0
	for i, r := range text {
		if units += utf16.RuneLen(r); units > xlsxCell {
			return text[:i], text[i:]
		}
	}
	return text, ""
}

func (d document) transcriptSheet(rows []captions.Utterance) xlsxSheet {
	head := xlsxWordsOf(d.Language)
	s := newSheet(d.word.transcript, xlsxColumn{14, head.start}, xlsxColumn{14, head.end}, xlsxColumn{24, d.word.speaker}, xlsxColumn{xlsxTextWidth, d.word.transcript})
	for _, u := range rows {
		s.row(1+captions.Width(u.Text)/xlsxTextWidth, func() {
			s.number(days(u.Start), xlsxTime)
			s.number(days(u.End), xlsxTime)
			s.text(u.Name)
			s.text(u.Text)
		})
	}
	return s.end()
}

func (d document) speakerSheet() xlsxSheet {
	s := newSheet(d.word.speakers, xlsxColumn{24, d.word.speaker}, xlsxColumn{18, d.word.speaking}, xlsxColumn{10, "%"}, xlsxColumn{16, xlsxWordsOf(d.Language).turns})
	for _, speaker := range d.talkTimes() {
		s.row(1, func() {
			s.text(speaker.name)
			s.number(days(speaker.time), xlsxDuration)
			s.number(speaker.share, xlsxPercent)
			s.number(float64(speaker.turns), xlsxPlain)
		})
	}
	return s.end()
}

// days returns a time as spreadsheets count it.
func days(d time.Duration) float64 {
	return float64(milliseconds(d)) / float64((24 * time.Hour).Milliseconds())
}

// writeWorkbook writes the zip file with all parts. They have no dates, so that the same sheets give the same bytes.
func writeWorkbook(w io.Writer, sheets []xlsxSheet, core string) error {
	const (
		office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
		pack   = "http://schemas.openxmlformats.org/package/2006/"
		kind   = "application/vnd.openxmlformats-officedocument.spreadsheetml."
		main   = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	)
	var types, book, links strings.Builder
	for i, s := range sheets {
		n := string(rune('1' + i))
		types.WriteString(`<Override PartName="/xl/worksheets/sheet` + n + `.xml" ContentType="` + kind + `worksheet+xml"/>`)
		book.WriteString(`<sheet name="` + xmlEscaper.Replace(s.name) + `" sheetId="` + n + `" r:id="rId` + n + `"/>`)
		links.WriteString(`<Relationship Id="rId` + n + `" Type="` + office + `/worksheet" Target="worksheets/sheet` + n + `.xml"/>`)
	}
	parts := []struct{ name, content string }{
		{"[Content_Types].xml", xmlHeader + `<Types xmlns="` + pack + `content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="` + kind + `sheet.main+xml"/>` + types.String() +
			`<Override PartName="/xl/styles.xml" ContentType="` + kind + `styles+xml"/>` +
			`<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`},
		{"_rels/.rels", xmlHeader + `<Relationships xmlns="` + pack + `relationships"><Relationship Id="rId1" Type="` + office + `/officeDocument" Target="xl/workbook.xml"/>` +
			`<Relationship Id="rId2" Type="` + pack + `relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`},
		{"docProps/core.xml", core},
		{"xl/workbook.xml", xmlHeader + `<workbook xmlns="` + main + `" xmlns:r="` + office + `"><sheets>` + book.String() + `</sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", xmlHeader + `<Relationships xmlns="` + pack + `relationships">` + links.String() +
			`<Relationship Id="rId9" Type="` + office + `/styles" Target="styles.xml"/></Relationships>`},
		{"xl/styles.xml", xlsxStyleSheet},
	}
	for i, s := range sheets {
		parts = append(parts, struct{ name, content string }{"xl/worksheets/sheet" + string(rune('1'+i)) + ".xml", s.xml})
	}
	z := zip.NewWriter(w)
	for _, p := range parts {
		part, err := z.Create(p.name)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(part, p.content); err != nil {
			return err
		}
	}
	return z.Close()
}
