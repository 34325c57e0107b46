package formats_test

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// Any text, name and time give a valid file in every format, and no letter is lost.
func FuzzWriters(f *testing.F) {
	bad, o := hostile()
	for _, u := range bad.Utterances {
		f.Add(u.Text, o.Names[u.Speaker], int64(u.Start), int64(u.End), "en")
	}
	f.Add("long"+strings.Repeat("Q", 3000), "\xffH", int64(20*time.Second), int64(21*time.Second), "en") // two paragraphs
	f.Add("人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心", "<b>", int64(-1), int64(1)<<62, "zh")
	fonts, err := formats.NewFonts(formats.FontOptions{NoSystem: true})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, text, name string, start, end int64, language string) {
		tr := transcript.Transcript{Language: transcript.Language(language), Utterances: []transcript.Utterance{
			{Speaker: "Speaker 0", Text: text, Start: time.Duration(start), End: time.Duration(end)},
			{Speaker: "Speaker 1", Start: time.Duration(end), Words: []transcript.Word{{Text: text, End: time.Duration(start)}, {Text: name}}},
			{Speaker: "Speaker 0", Text: name, Start: time.Duration(end), End: time.Duration(start)},
		}}
		options := formats.Options{Title: name, Names: map[string]string{"Speaker 0": name}}
		d := document(t, tr, options)
		var want strings.Builder
		for _, u := range d.Utterances {
			require.Less(t, u.Start, u.End)
			want.WriteString(letters(u.Text))
		}
		for _, format := range textFormats {
			var b bytes.Buffer
			w, _ := formats.Lookup(format)
			require.NoError(t, w.Write(&b, tr, options))
			require.True(t, utf8.Valid(b.Bytes()), format)
			require.False(t, bytes.ContainsAny(b.Bytes(), "\x00\a\v\f\u0085\u2028\u2029"), format)
		}
		if err := formats.WriteSTL(&bytes.Buffer{}, tr, options); err != nil { // it lacks letters, or the hours
			require.Equal(t, fault.CodeUnprocessable, fault.CodeOf(err))
		}
		docx := parts(t, write(t, "docx", tr, options))["word/document.xml"]
		require.Equal(t, want.String(), letters(docxText(t, unstyled(docx))))
		// Without installed fonts, a PDF is written or reports a missing font; it never lacks a letter.
		options.Fonts = fonts
		if err := formats.WritePDF(&bytes.Buffer{}, tr, options); err != nil {
			require.Equal(t, fault.CodeUnavailable, fault.CodeOf(err))
		}
		ends, counts := map[string]time.Duration{}, map[rune]int{}
		for _, c := range captions.Build(tr, options.Names, options.Captions) {
			require.Less(t, c.Start, c.End)
			require.LessOrEqual(t, c.End-c.Start, 7*time.Second)
			require.GreaterOrEqual(t, c.Start, ends[c.Label])
			ends[c.Label] = c.End
			for _, r := range letters(c.Text()) {
				counts[r]++
			}
		}
		for _, r := range want.String() {
			counts[r]--
		}
		for r, n := range counts {
			if r != '-' || n < 0 { // words that are wider than a line get hyphens
				require.Zero(t, n, "unexpected %q: %d more than in the input", r, n)
			}
		}
		require.NotContains(t, formats.ContentDisposition(name, ".txt"), "\n")
	})
}
