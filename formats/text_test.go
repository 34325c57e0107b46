package formats_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// document parses the output of WriteJSON.
func document(t testing.TB, tr transcript.Transcript, o formats.Options) formats.Document {
	t.Helper()
	var d formats.Document
	require.NoError(t, json.Unmarshal(write(t, "json", tr, o), &d))
	return d
}

// Any text becomes one clean line.
func TestCleanText(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain text":            "plain text",
		"nul\x00 bell\a":        "nul bell",              // T1
		"a\vb\fc\td":            "a b c d",               // T1
		"a\u0085b\uFEFFc":       "a bc",                  // T1
		"bad \xff\xfe\xfd end":  "bad \uFFFD end",        // T2
		"\xed\xa0\x80":          "\uFFFD",                // T2: a surrogate
		"a\n\nb\r\rc\u2028d e":  "a b c d e",             // T3
		"  spaces   around  ":   "spaces around",         // single spaces, none at the ends
		"n\u00a0b\u202fs\u3000": "n\u00a0b\u202fs\u3000", // meaningful spaces stay
		"\uFFFEx\uFFFF\uFDD0":   "x",                     // noncharacters
		"👩\u200d👧 e\u0301":      "👩\u200d👧 e\u0301",      // joiners and marks
	} {
		d := document(t, spoken("en", transcript.Utterance{Text: in, End: time.Second}), formats.Options{})
		require.Equal(t, want, d.Utterances[0].Text, "%q", in)
	}
}

// Times are sorted, clamped and rounded, and an end is always later than its start.
func TestPreparedTimes(t *testing.T) {
	t.Parallel()
	at := func(start, end time.Duration) transcript.Utterance {
		return transcript.Utterance{Text: "x", Start: start, End: end}
	}
	d := document(t, spoken("en",
		at(9*time.Second, 3*time.Second),                                   // T5
		at(8*time.Second, 8*time.Second),                                   // T6
		at(30999900*time.Microsecond, 32*time.Second),                      // T9
		at(-time.Second, -time.Second),                                     // T4
		at(123*time.Hour, 123*time.Hour+time.Second),                       // T8
		at(math.MaxInt64, math.MaxInt64), at(math.MinInt64, math.MaxInt64), // no overflow
	), formats.Options{})
	var got [][2]int64
	for _, u := range d.Utterances {
		got = append(got, [2]int64{u.Start, u.End})
	}
	require.Equal(t, [][2]int64{{0, 1}, {0, 36_000_000_000}, {8000, 8001}, {9000, 9001}, {31000, 32000},
		{442_800_000, 442_801_000}, {36_000_000_000, 36_000_000_001}}, got)
}

// Words without times share the time between their neighbours by width.
func TestWordsWithoutTimes(t *testing.T) {
	t.Parallel()
	u := transcript.Utterance{Start: 10 * time.Second, End: 16 * time.Second, Words: []transcript.Word{
		{Text: "one", Start: 10 * time.Second, End: 11 * time.Second},
		{Text: "two"}, {Text: "sevens"},
		{Text: "end", Start: 15 * time.Second, End: 16 * time.Second},
	}}
	words := document(t, spoken("en", u), formats.Options{}).Utterances[0].Words
	require.Equal(t, []formats.Word{
		{Text: "one", Start: 10000, End: 11000}, {Text: "two", Start: 11000, End: 12455},
		{Text: "sevens", Start: 12455, End: 15000}, {Text: "end", Start: 15000, End: 16000},
	}, words)
}

// JSON keeps labels, adds assigned names, has empty lists rather than null, and numeric confidences.
func TestJSON(t *testing.T) {
	t.Parallel()
	tr := spoken("en", say("Speaker 0", 0, "a", "<b>", "&"), say("Speaker 1", 5*time.Second, "c"))
	tr.Utterances[0].Confidence, tr.Utterances[1].Confidence = math.NaN(), 7
	o := formats.Options{RecordingID: "r-7", Names: map[string]string{"Speaker 1": "Ada"}}
	out := string(write(t, "json", tr, o))
	require.Contains(t, out, `"text":"a <b> &"`)
	require.True(t, strings.HasPrefix(out, `{"recording_id":"r-7","language":"en","audio_duration":5,"utterances":[{"speaker":"Speaker 0","text"`))
	d := document(t, tr, o)
	require.Empty(t, d.Utterances[0].SpeakerName)
	require.Equal(t, "Ada", d.Utterances[1].SpeakerName)
	require.Equal(t, "Speaker 1", d.Utterances[1].Speaker)
	require.Zero(t, d.Utterances[0].Confidence)
	require.InDelta(t, 1, d.Utterances[1].Confidence, 0)
	require.Equal(t, d.Utterances[0].Words, formats.Utterances(tr)[0].Words)
	bare := spoken("en", transcript.Utterance{Text: "no words", End: 1})
	require.Contains(t, string(write(t, "json", bare, o)), `"words":[]`)
	require.NotNil(t, formats.Utterances(transcript.Transcript{}))
}

// Python's and Go's readers read the intended rows; formulas are escaped, and there is one byte order mark.
func TestCSV(t *testing.T) {
	t.Parallel()
	tr, o := hostile()
	out := string(write(t, "csv", tr, o))
	require.Equal(t, 1, strings.Count(out, "\uFEFF"))
	require.Equal(t, strings.Count(out, "\n"), strings.Count(out, "\r\n"))
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(out, "\uFEFF"))).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"index", "start", "end", "start_ms", "end_ms", "speaker", "text"}, rows[0])
	for i, u := range document(t, tr, o).Utterances {
		row := rows[i+1]
		require.Equal(t, u.Text, strings.TrimPrefix(row[6], "'"))
		for _, field := range row[5:] {
			require.False(t, field != "" && strings.ContainsAny(field[:1], "=+-@\t\r"), field)
			first, _ := utf8.DecodeRuneInString(field)
			require.False(t, strings.ContainsRune("＝＋－＠", first), field)
		}
	}
	require.Equal(t, []string{"21", "00:00:58.000", "00:00:59.000", "58000", "59000", "Speaker 0", `'=HYPERLINK("http://x")`}, rows[21])
}

// Consecutive utterances of a speaker form one paragraph in txt, unless there is a long pause.
func TestTXTParagraphs(t *testing.T) {
	t.Parallel()
	tr := spoken("ja", say("A", 0, "そう", "です。"), say("A", 3*time.Second, "はい。"), say("A", 10*time.Second, "では", "また。"), say("B", 200*time.Second, "また。"))
	require.Equal(t, "[00:00:00] A:\nそうです。はい。ではまた。\n\n[00:03:20] B:\nまた。\n", string(write(t, "txt", tr, formats.Options{})))
	tr.Utterances[2] = say("A", 20*time.Second, "later")
	require.Contains(t, string(write(t, "txt", tr, formats.Options{})), "はい。\n\n[00:00:20] A:\nlater\n")
}

// SRT has CRLF everywhere, no byte order mark, and text without escapes.
func TestSRT(t *testing.T) {
	t.Parallel()
	tr, o := hostile()
	out := string(write(t, "srt", tr, o))
	require.NotContains(t, out, "\uFEFF")
	require.Equal(t, strings.Count(out, "\n"), strings.Count(out, "\r\n"))
	require.Contains(t, out, "R&D a < b <b>x</b> &amp; &lt; &nbsp;")
	require.Contains(t, out, "Bonjour\u00a0! R&D")
	require.NotContains(t, out, "<Speaker")
	require.True(t, strings.HasSuffix(out, "very late\r\n"))
}

// VTT escapes everything and has a non-empty voice tag on the first line of every cue with a speaker.
func TestVTT(t *testing.T) {
	t.Parallel()
	tr, o := hostile()
	out := string(write(t, "vtt", tr, o))
	require.NotContains(t, out, "<v >")
	require.Contains(t, out, "\nnobody speaks\n")
	blocks := strings.Split(strings.TrimSuffix(out, "\n"), "\n\n")
	require.Equal(t, "WEBVTT", blocks[0])
	for i, block := range blocks[1:] {
		lines := strings.SplitN(block, "\n", 3)
		require.Len(t, lines, 3)
		require.Contains(t, lines[1], " --> ")
		require.NotContains(t, lines[2], "-->", "cue %d", i+1)
		require.LessOrEqual(t, strings.Count(lines[2], "<"), 1)
	}
}

// Each text format preserves every word, in all languages.
func TestWordsPreserved(t *testing.T) {
	t.Parallel()
	for _, language := range transcript.Languages() {
		tr := passage(t, language)
		for _, format := range []string{"txt", "csv", "json"} {
			out := write(t, format, tr, formats.Options{})
			for _, u := range tr.Utterances {
				require.True(t, bytes.Contains(out, []byte(u.Text)), "%s %s", language, format)
			}
		}
	}
}

// File names are safe on every system, and the header has them in ASCII and UTF-8.
func TestFileName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ title, name, ascii, encoded string }{
		{"Episode 1", "Episode 1.txt", "Episode 1.txt", "Episode%201.txt"},
		{"", "transcript.txt", "transcript.txt", "transcript.txt"},
		{"../../etc/passwd", "etc-passwd.txt", "etc-passwd.txt", "etc-passwd.txt"},
		{`a"b\c:d*e?f<g>h|i`, "a-b-c-d-e-f-g-h-i.txt", "a-b-c-d-e-f-g-h-i.txt", "a-b-c-d-e-f-g-h-i.txt"},
		{"x\r\nSet-Cookie: y", "x Set-Cookie- y.txt", "x Set-Cookie- y.txt", "x%20Set-Cookie-%20y.txt"},
		{"Žluťoučký kůň", "Žluťoučký kůň.txt", "Zlutoucky kun.txt", "%C5%BDlu%C5%A5ou%C4%8Dk%C3%BD%20k%C5%AF%C5%88.txt"},
		{"会議", "会議.txt", "transcript.txt", "%E4%BC%9A%E8%AD%B0.txt"},
		{"50% (off)", "50% (off).txt", "50_ (off).txt", "50%25%20%28off%29.txt"},
		{"!#$&+-.^_`~ ()", "!#$&+-.^_`~ ().txt", "transcript.txt", "!#$&+-.^_`~%20%28%29.txt"},
		{"com1", "transcript-com1.txt", "transcript-com1.txt", "transcript-com1.txt"},
		{".hidden ", "hidden.txt", "hidden.txt", "hidden.txt"},
		{strings.Repeat("あ", 100), strings.Repeat("あ", 50) + ".txt", "transcript.txt", strings.Repeat("%E3%81%82", 50) + ".txt"},
	} {
		require.Equal(t, c.name, formats.FileName(c.title, ".txt"))
		require.Equal(t, `attachment; filename="`+c.ascii+`"; filename*=UTF-8''`+c.encoded, formats.ContentDisposition(c.title, ".txt"))
	}
}
