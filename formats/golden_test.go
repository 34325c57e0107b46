package formats_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/internal/golden"
)

// same compares with a golden file.
func same(t *testing.T, name string, got []byte) {
	t.Helper()
	require.Equal(t, golden.Read(t, filepath.Join("testdata", "golden", name), got), string(got))
}

func write(t testing.TB, format string, tr transcript.Transcript, o formats.Options) []byte {
	t.Helper()
	f, ok := formats.Lookup(format)
	require.True(t, ok, format)
	var b bytes.Buffer
	require.NoError(t, f.Write(&b, tr, o))
	return b.Bytes()
}

// textFormats are the human-readable formats, which have golden files.
var textFormats = func() (names []string) {
	for _, f := range formats.All() {
		if f.Name != "pdf" && f.Name != "docx" && f.Name != "xlsx" && f.Name != "stl" {
			names = append(names, f.Name)
		}
	}
	return names
}()

var program = regexp.MustCompile(`(?s)(<style>).*?(</style>)|(<script>).*?(</script>)|('sha256-)[^']*(')`)

// withoutProgram leaves out what is the same in each HTML page.
func withoutProgram(file []byte) []byte { return program.ReplaceAll(file, []byte("$1$3$5…$2$4$6")) }

// interview returns a typical transcript.
func interview() (transcript.Transcript, formats.Options) {
	t := spoken("en",
		say("Speaker 0", 500*time.Millisecond, strings.Fields("Good morning, and welcome to the show. Today we talk about the first computers, and about the people who programmed them before there were any.")...),
		say("Speaker 1", 10*time.Second, strings.Fields("Thank you. I'm glad to be here.")...),
		say("Speaker 0", 12500*time.Millisecond, strings.Fields("Let's begin with Ada Lovelace, who wrote in 1843 that the engine might compose elaborate and scientific pieces of music of any degree of complexity or extent.")...),
		say("Speaker 0", 23*time.Second, strings.Fields("Was she right?")...),
		say("Speaker 1", 24*time.Second, strings.Fields("Yes.")...),
	)
	created := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	return t, formats.Options{Title: "The first computers", RecordingID: "rec-1", Names: map[string]string{"Speaker 1": "Prof. Ada Byron"}, Created: created, Modified: created}
}

// Each text format writes exactly these bytes.
func TestGolden(t *testing.T) {
	t.Parallel()
	usual, usualOptions := interview()
	bad, badOptions := hostile()
	for _, format := range textFormats {
		same(t, "interview."+format, withoutProgram(write(t, format, usual, usualOptions)))
		same(t, "hostile."+format, withoutProgram(write(t, format, bad, badOptions)))
		same(t, "empty."+format, withoutProgram(write(t, format, transcript.Transcript{}, formats.Options{})))
	}
	same(t, "interview.stl", write(t, "stl", usual, usualOptions))
	same(t, "sections.html", withoutProgram(write(t, "html", usual, sections())))
	usualOptions.OmitTimestamps = true
	same(t, "interview-no-times.txt", write(t, "txt", usual, usualOptions))
	same(t, "sections.md", write(t, "md", usual, sections()))
	for _, language := range []transcript.Language{"ja", "hi", "de"} {
		same(t, "passage-"+string(language)+".vtt", write(t, "vtt", passage(t, language), formats.Options{}))
	}
}

// All begins with the formats of the specification in its order, and its entries are complete and distinct.
func TestAllFormats(t *testing.T) {
	t.Parallel()
	var names []string
	seen := map[string]bool{}
	for _, f := range formats.All() {
		names = append(names, f.Name)
		require.False(t, seen[f.Extension], "%s has the extension of another format", f.Name)
		seen[f.Extension] = true
		require.NotEmpty(t, f.ContentType)
		got, ok := formats.Lookup(f.Name)
		require.True(t, ok)
		require.Equal(t, f.ContentType, got.ContentType)
	}
	for _, f := range formats.Standard() {
		require.Equal(t, "."+f.Name, f.Extension)
	}
	require.Equal(t, []string{"json", "txt", "vtt", "srt", "csv", "pdf", "docx"}, names[:7])
	_, ok := formats.Lookup("rtf")
	require.False(t, ok)
}

// hostileTo returns the hostile transcript, or a usual one for EBU STL, which has no codes for its letters.
func hostileTo(f formats.Format) (transcript.Transcript, formats.Options) {
	if f.Name == "stl" {
		return interview()
	}
	return hostile()
}

// An empty transcript gives a valid file in every format, and so does a hostile one.
func TestEveryFormatWrites(t *testing.T) {
	t.Parallel()
	for _, f := range formats.All() {
		needFonts(t, f)
		bad, badOptions := hostileTo(f)
		require.NoError(t, f.Write(&bytes.Buffer{}, transcript.Transcript{}, formats.Options{}), f.Name)
		require.NoError(t, f.Write(&bytes.Buffer{}, bad, badOptions), f.Name)
	}
}

// The same transcript gives the same bytes, even from eight concurrent writers, and isn't modified.
func TestDeterministicAndConcurrent(t *testing.T) {
	t.Parallel()
	for _, f := range formats.All() {
		needFonts(t, f)
		tr, o := hostileTo(f)
		before, _ := hostileTo(f)
		want := write(t, f.Name, tr, o)
		var all sync.WaitGroup
		got := make([]bytes.Buffer, 8)
		for i := range got {
			all.Go(func() { _ = f.Write(&got[i], tr, o) })
		}
		all.Wait()
		for i := range got {
			require.True(t, bytes.Equal(want, got[i].Bytes()), "%s: export %d of the same transcript differs", f.Name, i)
		}
		require.Equal(t, before, tr, f.Name)
	}
}

var errFull = errors.New("disk full")

// fullWriter accepts some bytes and then fails.
type fullWriter struct{ left int }

func (w *fullWriter) Write(p []byte) (int, error) {
	if len(p) > w.left {
		n := w.left
		w.left = 0
		return n, errFull
	}
	w.left -= len(p)
	return len(p), nil
}

// Every format returns the error of a writer that fails after 10 bytes.
func TestWriterFails(t *testing.T) {
	t.Parallel()
	tr, o := interview()
	for _, f := range formats.All() {
		require.ErrorIs(t, f.Write(&fullWriter{left: 10}, tr, o), errFull, f.Name)
	}
}

// Text formats are valid UTF-8 without control characters, whatever the input.
func TestOutputIsCleanText(t *testing.T) {
	t.Parallel()
	tr, o := hostile()
	for _, format := range textFormats {
		out := write(t, format, tr, o)
		require.True(t, utf8.Valid(out), format)
		require.NotContains(t, strings.TrimPrefix(string(out), "\uFEFF"), "\uFEFF", format)
		for _, r := range string(out) {
			require.False(t, r < ' ' && r != '\n' && r != '\r' || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029, "%s has %U", format, r)
		}
	}
}
