package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const wideSRT = "1\n00:00:01,000 --> 00:00:06,000\nThese are far too many words for a single line of a caption.\n"

// check prints each finding with its position and exits with 1; a clean file exits with 0, and what has no captions with 2.
func TestCheck(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	wide, clean := write("wide.srt", wideSRT), write("clean.vtt", "WEBVTT\n\n00:01.000 --> 00:03.000\nHello.\n")
	code, out, errOut := cli(t, "check", wide)
	require.Equal(t, 1, code)
	require.Empty(t, errOut)
	require.Equal(t, wide+":2: cue 1 at 0:00:01.000: error: width: text line 1 has 60 columns; at most 42 are allowed.\n"+wide+": 1 cue, 1 error, 0 warnings.\n", out)
	code, out, _ = cli(t, "check", clean)
	require.Zero(t, code)
	require.Equal(t, clean+": 1 cue, 0 errors, 0 warnings.\n", out)
	code, out, _ = cli(t, "check", wide, "--profile", "bbc", "--json")
	require.Equal(t, 1, code)
	var got wireCheck
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	require.Equal(t, wireCheck{wide, "srt", "", 1, 1, 0, []wireFinding{{"width", "error", 2, 1, 1000, 60, 37, "text line 1 has 60 columns; at most 37 are allowed."}}}, got)
	code, out, _ = cli(t, "check", wide, "--max-chars", "60", "--gap", "0s")
	require.Zero(t, code, out)
	code, out, _ = cli(t, "check", clean, "--min", "3s", "--cps", "1.5")
	require.Equal(t, 1, code)
	require.Contains(t, out, "warning: short: ")
	require.Contains(t, out, "at most 1.5 are recommended.")
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{wide, "--max-chars", "1"}, 2, "--max-chars must be between 4 and 500 (got 1)."},
		{[]string{wide, "--min", "3s", "--max", "2s"}, 2, "--min must not exceed --max"},
		{[]string{wide, "--profile", "cinema"}, 2, `unknown profile "cinema": use netflix, bbc, youtube, social`},
		{[]string{wide, "--language", "xx"}, 2, "xx"},
		{[]string{wide, "-o", "x"}, 2, "--output needs --fix"},
		{[]string{wide, "--fix", "-o", wide}, 2, "overwrite its input"},
		{[]string{write("a.json", "{}")}, 2, "no captions"},
		{[]string{filepath.Join(dir, "nothing.srt")}, 3, "nothing.srt"},
		{[]string{}, 2, "one caption file"},
	} {
		code, _, errOut := cli(t, append([]string{"check"}, c.args...)...)
		require.Equal(t, c.code, code, c.args)
		require.Contains(t, errOut, c.says, c.args)
	}
}

// The shell completes the profiles.
func TestProfileCompletion(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"check", "export", "render"} {
		code, out, _ := cli(t, "__complete", command, "--profile", "")
		require.Zero(t, code)
		require.Equal(t, "netflix\nbbc\nyoutube\nsocial\n:4\n", out, command)
	}
}

// check --fix writes a file without errors beside the input, and leaves the input alone.
func TestCheckFix(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := filepath.Join(dir, "wide.srt")
	require.NoError(t, os.WriteFile(in, []byte(wideSRT), 0o600))
	code, out, errOut := cli(t, "check", in, "--fix")
	require.Zero(t, code, out+errOut)
	fixed := filepath.Join(dir, "wide.fixed.srt")
	require.Equal(t, fixed+": 1 cue, 0 errors, 0 warnings.\n", out)
	b, err := os.ReadFile(fixed)
	require.NoError(t, err)
	require.Equal(t, strings.Fields(strings.SplitN(wideSRT, "\n", 3)[2]), strings.Fields(strings.SplitN(string(b), "\n", 3)[2]))
	b, err = os.ReadFile(in)
	require.NoError(t, err)
	require.Equal(t, wideSRT, string(b))

	code, out, errOut = cli(t, "check", in, "--fix", "-o", "-")
	require.Zero(t, code)
	fixedText, err := os.ReadFile(fixed)
	require.NoError(t, err)
	require.Equal(t, string(fixedText), out)
	require.Equal(t, "standard output: 1 cue, 0 errors, 0 warnings.\n", errOut)

	require.NoError(t, os.WriteFile(in, []byte("1\n00:00:01,000 --> x\nlost\n\n"+wideSRT), 0o600))
	code, _, errOut = cli(t, "check", in, "--fix", "-o", filepath.Join(dir, "b.srt"))
	require.Zero(t, code)
	require.Contains(t, errOut, in+":2: error: syntax: expected a time like 00:00:01.000; the cue was skipped.\n")

	ttml := filepath.Join(dir, "a.ttml")
	require.NoError(t, os.WriteFile(ttml, []byte(`<tt><body><div><p begin="1s" end="3s">Hello.</p></div></body></tt>`), 0o600))
	code, out, _ = cli(t, "check", ttml, "--fix")
	require.Zero(t, code, out)
	require.FileExists(t, filepath.Join(dir, "a.fixed.vtt"))
}

// The name of the fixed file decides its format, and a name of another one is refused before anything is written.
func TestCheckFixExtension(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.WriteFile(path("a.srt"), []byte(wideSRT), 0o600))
	require.NoError(t, os.WriteFile(path("a.vtt"), []byte("WEBVTT\n\n00:01.000 --> 00:06.000\nThese words.\n"), 0o600))
	require.NoError(t, os.WriteFile(path("a.ass"), []byte("[Events]\nFormat: Start, End, Text\nDialogue: 0:00:01.00,0:00:06.00,These words.\n"), 0o600))
	for _, c := range []struct{ in, out, begins string }{
		{"a.srt", "b.vtt", "WEBVTT\n"}, {"a.srt", "b.srt", "1\r\n"}, {"a.srt", "b", "1\r\n"}, {"a.vtt", "c.SRT", "1\r\n"}, {"a.vtt", "c", "WEBVTT\n"},
	} {
		code, out, errOut := cli(t, "check", path(c.in), "--fix", "-o", path(c.out))
		require.Zero(t, code, out+errOut)
		b, err := os.ReadFile(path(c.out))
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(b), c.begins), "%s: %s", c.out, b)
	}
	code, _, errOut := cli(t, "check", path("a.ass"), "--fix")
	require.Zero(t, code, errOut)
	require.FileExists(t, path("a.fixed.vtt"))
	code, _, errOut = cli(t, "check", path("a.srt"), "--fix", "-o", path("d.ttml"))
	require.Equal(t, 2, code)
	require.Contains(t, errOut, "--fix writes VTT and SRT, not .ttml.")
	require.Contains(t, errOut, "Choose a name that ends in .vtt or .srt")
	require.NoFileExists(t, path("d.ttml"))
}

// export reads a file with a broken cue, and prints what it skipped to stderr.
func TestExportPrintsProblems(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := filepath.Join(dir, "talk.srt")
	require.NoError(t, os.WriteFile(in, []byte(strings.Repeat("1\n00:00:01,000 --> x\na\n\n", 22)+wideSRT), 0o600))
	code, out, errOut := cli(t, "export", in, "--to", "vtt")
	require.Zero(t, code)
	require.Equal(t, filepath.Join(dir, "talk.vtt")+"\n", out)
	require.Equal(t, 21, strings.Count(errOut, "\n"))
	require.True(t, strings.HasPrefix(errOut, in+": line 2, column 18: expected a time like 00:00:01.000; the cue was skipped.\n"), errOut)
	require.Contains(t, errOut, in+": 2 more problems. soundstage check lists all.\n")
}
