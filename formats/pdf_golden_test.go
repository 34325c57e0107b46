package formats_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/gofont/gomono"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

var pdfObject = regexp.MustCompile(`(?s)(\d+) 0 obj\n(.*?)\nendobj`)

// plainPDF returns the objects of a PDF with their streams as text. Of font programs and the cross-reference table, it has only the size.
func plainPDF(t *testing.T, file []byte) string {
	t.Helper()
	var b strings.Builder
	for _, m := range pdfObject.FindAllSubmatch(file, -1) {
		dict, stream, found := bytes.Cut(m[2], []byte("stream\n"))
		dict = regexp.MustCompile(`/Length \d+`).ReplaceAll(dict, []byte("/Length N")) // depends on the compressor
		fmt.Fprintf(&b, "%s 0 obj\n%s\n", m[1], dict)
		if !found {
			continue
		}
		if !bytes.Contains(dict, []byte("/FlateDecode")) {
			fmt.Fprintf(&b, "%s\n", bytes.TrimSuffix(stream, []byte("\nendstream")))
			continue
		}
		r, err := zlib.NewReader(bytes.NewReader(stream))
		require.NoError(t, err)
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		if bytes.Contains(dict, []byte("CIDFontType0C")) || bytes.Contains(dict, []byte("/XRef")) {
			fmt.Fprintf(&b, "%d bytes\n", len(text))
			continue
		}
		b.WriteString(strings.ReplaceAll(string(text), ">>/", ">>\n/") + "\n")
	}
	return b.String()
}

// A PDF has these objects: pages with marked text, bookmarks, a structure tree that refers to the marks, metadata, and fonts with their
// Unicode. The second one has a font without bold letters, several A4 pages, and no dates. The third one has every section, and links.
func TestGoldenPDF(t *testing.T) {
	t.Parallel()
	tr, o := interview()
	var err error
	o.Fonts, err = formats.NewFonts(formats.FontOptions{NoSystem: true})
	require.NoError(t, err)
	same(t, "interview.pdf.txt", []byte(plainPDF(t, write(t, "pdf", tr, o))))

	var long []transcript.Utterance
	for i := range 6 {
		speaker := []string{"", "A", strings.Repeat("Long name ", 11)}[i%3]
		words := strings.Fields(strings.Repeat("one two, three. ", 10+12*i))
		long = append(long, transcript.Utterance{Speaker: speaker, Text: strings.Join(words, " "), Start: time.Duration(i) * 2 * time.Minute, End: time.Duration(i+1) * 2 * time.Minute})
	}
	fonts, err := formats.NewFonts(formats.FontOptions{Families: []formats.FontFamily{{Regular: gomono.TTF}}, NoSystem: true})
	require.NoError(t, err)
	same(t, "long.pdf.txt", []byte(plainPDF(t, write(t, "pdf", spoken("de", long...), formats.Options{Title: "Lang", Creator: "Ada", Fonts: fonts}))))

	tr, o = withSections()
	o.Fonts, err = formats.NewFonts(formats.FontOptions{NoSystem: true})
	require.NoError(t, err)
	same(t, "sections.pdf.txt", []byte(plainPDF(t, write(t, "pdf", tr, o))))
}

// withSections returns a transcript and options whose documents have all sections, and links.
func withSections() (transcript.Transcript, formats.Options) {
	tr, o := interview()
	tr.Utterances = append(tr.Utterances, say("Speaker 0", 30*time.Second, strings.Fields("The paper is at https://example.com/notes(1843), and its translation at http://example.org.")...))
	o.Source = "https://example.com/talks/première.mp4"
	o.Summary = "Two people talk about computers.\nSee https://example.com/more."
	o.Chapters = []formats.Chapter{{Title: "Welcome", Summary: "Who is here, and why."}, {Start: 12 * time.Second, Title: "Ada’s engine"}, {Start: time.Minute, Title: "Silence"}}
	o.SpeakerTable = true
	return tr, o
}

// A document has bookmarks if it is longer than five minutes and has times.
func TestPDFBookmarks(t *testing.T) {
	t.Parallel()
	fonts, err := formats.NewFonts(formats.FontOptions{NoSystem: true})
	require.NoError(t, err)
	tr := spoken("en", say("A", 0, "a"), say("B", time.Minute, "b"))
	for length, want := range map[time.Duration]bool{5 * time.Minute: false, 5*time.Minute + time.Second: true} {
		tr.Duration = length
		require.Equal(t, want, strings.Contains(plainPDF(t, write(t, "pdf", tr, formats.Options{Fonts: fonts})), "/Outlines"), length)
		require.NotContains(t, plainPDF(t, write(t, "pdf", tr, formats.Options{Fonts: fonts, OmitTimestamps: true})), "/Outlines", length)
	}
}
