package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

const twoSpeakers = `{"utterances": [{"speaker": "Speaker 0", "text": "Welcome.", "start": 0, "end": 1500},
	{"speaker": "Speaker 1", "text": "Thanks.", "start": 2000, "end": 3000}, {"speaker": "a=b", "text": "Hm.", "start": 4000, "end": 5000}], "language": "en"}`

// exported runs export on a transcript of two speakers, and returns the contents of the text file, or stderr.
func exported(t *testing.T, format string, args ...string) (code int, text string) {
	t.Helper()
	dir := t.TempDir()
	in := filepath.Join(dir, "talk.json")
	require.NoError(t, os.WriteFile(in, []byte(twoSpeakers), 0o600))
	for name, contents := range map[string]string{"chapters.txt": "00:00 Opening\n00:02 Thanks\n", "broken.txt": "00:00 Opening\nlater\n", "summary.txt": "\uFEFFThey greet.\n", "empty.docx": "", "binary.txt": "\x00\xff", "blank.txt": " \n"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(contents), 0o600))
	}
	for i, a := range args {
		args[i] = strings.ReplaceAll(a, "DIR", dir)
	}
	code, _, errOut := cli(t, append([]string{"export", in, "--to", format}, args...)...)
	if code != 0 {
		return code, strings.ReplaceAll(errOut, dir, "DIR")
	}
	b, err := os.ReadFile(filepath.Join(dir, "talk."+format))
	require.NoError(t, err)
	return code, string(b)
}

// --name names speakers by their labels, and the error for an unknown label lists the labels of the file.
func TestExportNames(t *testing.T) {
	t.Parallel()
	code, text := exported(t, "txt", "--name", "Speaker 0=Ann Lee", "--name", "a=b=C=D", "--no-timestamps")
	require.Zero(t, code, text)
	require.Equal(t, "Ann Lee:\nWelcome.\n\nSpeaker 2:\nThanks.\n\nC=D:\nHm.\n", text)
	for _, c := range []struct {
		names []string
		says  string
	}{
		{[]string{"Bob=Ann"}, "soundstage: No speaker has the label of --name \"Bob=Ann\".\n  The transcript has \"Speaker 0\", \"Speaker 1\", \"a=b\".\n"},
		{[]string{"Ann"}, "soundstage: --name must be label=name (got \"Ann\").\n  Use for example --name \"Speaker 0=Ann Lee\".\n"},
		{[]string{"Speaker 0= "}, "soundstage: --name has no name for \"Speaker 0\".\n"},
		{[]string{"Speaker 0=A", "Speaker 0=B"}, "soundstage: --name has two names for \"Speaker 0\".\n"},
	} {
		var args []string
		for _, n := range c.names {
			args = append(args, "--name", n)
		}
		code, text := exported(t, "txt", args...)
		require.Equal(t, 2, code)
		require.Equal(t, c.says, text)
	}
}

// The flags of documents are checked, and files that they name are read.
func TestExportDocumentErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line string
		code int
		says string
	}{
		{"--paper a3", 2, "soundstage: Unknown paper \"a3\".\n  Did you mean a4? Use one of a4, letter.\n"},
		{"--created yesterday", 2, "soundstage: --created must be a date (got \"yesterday\").\n  Use 2026-03-01 or 2026-03-01T12:00:00Z.\n"},
		{"--template DIR/empty.docx", 2, "soundstage: --template is for docx, which is not written.\n  Add docx to --to.\n"},
		{"--summary DIR/none.txt", 3, "soundstage: The file DIR/none.txt can't be read: no such file or directory.\n  Check the path and its permissions.\n"},
		{"--chapters DIR/none.txt", 3, "soundstage: The file DIR/none.txt can't be read: no such file or directory.\n  Check the path and its permissions.\n"},
		{"--chapters DIR", 3, "soundstage: The file DIR can't be read: is a directory.\n  Check the path and its permissions.\n"},
		{"--summary DIR", 3, "soundstage: The file DIR can't be read: is a directory.\n  Check the path and its permissions.\n"},
		{"--summary DIR/binary.txt", 2, "soundstage: The summary DIR/binary.txt isn't UTF-8 text.\n  Save it as plain text in UTF-8.\n"},
		{"--summary DIR/blank.txt", 2, "soundstage: The summary DIR/blank.txt is empty.\n  Write text into it, or leave --summary out.\n"},
		{"--media DIR/none.mp4", 3, "soundstage: The file DIR/none.mp4 can't be read: no such file or directory.\n  Check the path and its permissions.\n"},
		{"--media DIR", 3, "soundstage: The file DIR can't be read: is a directory.\n  Check the path and its permissions.\n"},
		{"--chapters DIR/broken.txt", 2, "soundstage: DIR/broken.txt: line 2: expected a time and a title.\n  Use lines such as \"00:12:30 Questions\", or the JSON chapters of podcasts.\n"},
	} {
		code, text := exported(t, "txt", strings.Fields(c.line)...)
		require.Equal(t, c.says, text, c.line)
		require.Equal(t, c.code, code, c.line)
	}
}

// A folder is no transcript, as a file that doesn't exist.
func TestExportFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, args := range [][]string{{"export", dir, "--to", "txt"}, {"check", dir}} {
		code, _, errOut := cli(t, args...)
		require.Equal(t, 3, code, args)
		require.Equal(t, "soundstage: The file "+dir+" can't be read: is a directory.\n  Check the path and its permissions.\n", errOut)
	}
}

// A format is written once, however often --to has it, and our extensions of two parts are cut off.
func TestExportFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := filepath.Join(dir, "talk.v2.json")
	require.NoError(t, os.WriteFile(in, []byte(twoSpeakers), 0o600))
	code, out, errOut := cli(t, "export", in, "--to", "podcast,ebuttd,EBUTTD,podcast")
	require.Zero(t, code, errOut)
	require.Equal(t, filepath.Join(dir, "talk.v2.podcast.json")+"\n"+filepath.Join(dir, "talk.v2.ebuttd.xml")+"\n", out)
	for path := range strings.FieldsSeq(out) {
		code, out, errOut := cli(t, "export", path, "--to", "srt")
		require.Zero(t, code, errOut)
		require.Equal(t, filepath.Join(dir, "talk.v2.srt")+"\n", out)
	}
}

// If a format of several can't be written, the others are, each error is printed, and the exit code is that of the first.
func TestExportFailures(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := filepath.Join(dir, "talk.srt")
	require.NoError(t, os.WriteFile(in, []byte("1\n00:00:01,000 --> 00:00:03,000\nҐанок ghost\n"), 0o600))
	code, out, errOut := cli(t, "export", in, "--to", "stl,txt,srt,vtt", "--cps", "1")
	require.Equal(t, 6, code)
	require.Equal(t, filepath.Join(dir, "talk.txt")+"\n"+filepath.Join(dir, "talk.vtt")+"\n", out)
	require.Regexp(t, `^\S+talk\.stl was not written\.\nsoundstage: .*Ґ.*\n.*\n\S+talk\.srt was not written\.\nsoundstage: The export would overwrite its input .*\n`+
		`  Choose another folder with -o\.\nsoundstage: Faster than 1 characters per second: `, errOut)
	code, out, errOut = cli(t, "export", in, "--to", "stl")
	require.Equal(t, 6, code)
	require.Empty(t, out)
	require.Regexp(t, `^soundstage: .*Ґ`, errOut)
}

// The limits of captions have ranges. Zero isn't the default.
func TestExportLimitRanges(t *testing.T) {
	t.Parallel()
	for flag, c := range map[string]struct{ right, wrong []string }{
		"max-chars": {[]string{"4", "500"}, []string{"0", "3", "501", "-1"}},
		"max-lines": {[]string{"1", "10"}, []string{"0", "11"}},
		"cps":       {[]string{"1", "200"}, []string{"0", "0.9", "201", "NaN", "+Inf"}},
		"min":       {[]string{"1ms", "1m0s"}, []string{"0s", "1m0.1s"}},
		"max":       {[]string{"100ms", "1h0m0s"}, []string{"0s", "99ms", "1h0m1s"}},
		"gap":       {[]string{"0s", "10s"}, []string{"-1ns", "10.1s"}},
	} {
		for _, v := range c.right {
			code, text := exported(t, "vtt", "--"+flag+"="+v)
			require.Zero(t, code, "%s %s: %s", flag, v, text)
		}
		for _, v := range c.wrong {
			code, text := exported(t, "vtt", "--"+flag+"="+v)
			require.Equal(t, 2, code, "%s %s", flag, v)
			require.Equal(t, "soundstage: --"+flag+" must be between "+c.right[0]+" and "+c.right[1]+" (got "+v+").\n", text)
		}
	}
}

// A file that is larger than its flag allows is refused before it is read.
func TestExportLargeFiles(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "large")
	file, err := os.Create(path)
	require.NoError(t, err)
	require.NoError(t, file.Truncate(maxTemplate+1))
	require.NoError(t, file.Close())
	for _, flag := range []string{"--summary", "--chapters", "--template"} {
		code, text := exported(t, "docx", flag, path)
		require.Equal(t, 8, code, text)
		require.Contains(t, text, "has more than")
	}
}

// A file of captions has no labels. If only Speaker 0 has a name, documents made from the captions show the same numbers as documents made from
// the transcript.
func TestExportSomeNames(t *testing.T) {
	t.Parallel()
	shown := func(in string, names ...string) string {
		out := t.TempDir()
		code, _, errOut := cli(t, append([]string{"export", in, "--to", "txt,vtt,srt,json", "--no-timestamps", "-o", out}, names...)...)
		require.Zero(t, code, errOut)
		return out
	}
	text := func(dir string) string {
		b, err := os.ReadFile(filepath.Join(dir, "talk.txt"))
		require.NoError(t, err)
		return string(b)
	}
	in := filepath.Join(t.TempDir(), "talk.json")
	require.NoError(t, os.WriteFile(in, []byte(twoSpeakers), 0o600))
	for name, want := range map[string]string{
		"Speaker 0=Ann": "Ann:\nWelcome.\n\nSpeaker 2:\nThanks.\n\na=b:\nHm.\n",
		"Speaker 1=Bob": "Speaker 1:\nWelcome.\n\nBob:\nThanks.\n\na=b:\nHm.\n",
	} {
		dir := shown(in, "--name", name)
		require.Equal(t, want, text(dir))
		for _, file := range []string{"talk.vtt", "talk.srt", "talk.json"} {
			require.Equal(t, want, text(shown(filepath.Join(dir, file))), file)
		}
	}
}

// --visible-names and --voice-colours show in vtt who speaks.
func TestExportVoices(t *testing.T) {
	t.Parallel()
	code, text := exported(t, "vtt", "--visible-names", "--voice-colours", "--name", "Speaker 0=Ann Lee")
	require.Zero(t, code, text)
	require.Contains(t, text, "::cue(v[voice=\"Ann Lee\"]) { color: #ffffff }\n::cue(v[voice=\"Speaker 2\"]) { color: #ffff00 }\n")
	require.Contains(t, text, "<v Ann Lee><c.speaker>Ann Lee:</c> Welcome.\n")
}

// A page plays media next to it, wherever the program is started. Addresses stay as they are.
func TestExportPage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in, media := filepath.Join(dir, "talk.json"), filepath.Join(dir, "a talk.mp3")
	require.NoError(t, os.WriteFile(in, []byte(twoSpeakers), 0o600))
	require.NoError(t, os.WriteFile(media, nil, 0o600))
	for _, c := range []struct{ media, out, want string }{
		{media, dir, `<audio src="a%20talk.mp3"`},
		{media, filepath.Join(dir, "pages", "en"), `<audio src="../../a%20talk.mp3"`},
		{"https://example.com/a.mp3", dir, `<audio src="https://example.com/a.mp3"`},
	} {
		code, _, errOut := cli(t, "export", in, "--to", "html", "--media", c.media, "-o", c.out)
		require.Zero(t, code, errOut)
		b, err := os.ReadFile(filepath.Join(c.out, "talk.html"))
		require.NoError(t, err)
		require.Contains(t, string(b), c.want)
	}
	code, _, errOut := cli(t, "export", in, "--to", "html", "--media", "ftp://example.com/a.mp3")
	require.Equal(t, 2, code)
	require.Equal(t, "soundstage: The media's address can't be \"ftp://example.com/a.mp3\".\n  Use the name of a file, relative to the page, or an http or https address.\n", errOut)
}

// The page of a transcribed file plays the file.
func TestTranscribePage(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it transcribes media")
	needFFmpeg(t)
	path := filepath.Join(t.TempDir(), "talk.html")
	code, _, errOut := cli(t, "transcribe", testdata("conversation.wav"), "-o", path)
	require.Zero(t, code, errOut)
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Regexp(t, `<audio src="(\.\./)+[^"]*testdata/conversation\.wav"`, string(b))
}
