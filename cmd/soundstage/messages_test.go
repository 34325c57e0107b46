package main

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/wav"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// A message has the flag that is wrong or that helps, what it accepts, and what it got. It has no names of Go functions or fields of the API.
func TestMessages(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]struct {
		code int
		says string
	}{
		"transcribe http://127.0.0.1:1/x.mp3":        {7, "need --allow-private-urls."},
		"clip http://127.0.0.1:1/x.mp3":              {7, "need --allow-private-urls."},
		"transcribe http://192.0.2.1:81/x.mp3":       {7, "public"},
		"transcribe ftp://x/y":                       {2, "url must begin with http:// or https://."},
		"clip ftp://x/y":                             {2, "url must begin with http:// or https://."},
		"transcribe MEDIA --speakers -1":             {2, "--speakers must be a number from 1 to 100, or 0 to detect it (got -1)."},
		"clip MEDIA --speakers 101":                  {2, "--speakers must be a number from 1 to 100, or 0 to detect it (got 101)."},
		"library add MEDIA --data DIR --speakers -1": {2, "--speakers must be a number from 1 to 100, or 0 to detect it (got -1)."},
		"export x.srt --to vtt --gap 1":              {2, `--gap must be a duration such as 90s, 10m, or 1h30m (got "1").`},
		"export x.srt --to vtt --max-chars 1x":       {2, `--max-chars must be a whole number (got "1x").`},
		"transcribe x --seed -1":                     {2, `--seed must be a whole number, 0 or more (got "-1").`},
		"transcribe x --seed 99999999999999999999":   {2, `--seed is out of range (got "99999999999999999999").`},
		"transcribe x --no-timestamps=perhaps":       {2, `--no-timestamps must be true or false (got "perhaps").`},
		"replay nothing.json":                        {3, "The file nothing.json can't be read"},
		"snapshot load nothing":                      {3, "The file nothing can't be read"},
		"export MEDIA --to srt":                      {2, "`soundstage transcribe` makes a transcript of it."},
		"render MEDIA MEDIA -o x.mp4":                {2, "`soundstage transcribe` makes a transcript of it."},
	} {
		args := strings.Fields(strings.NewReplacer("MEDIA", testdata("conversation.wav"), "DIR", t.TempDir()).Replace(line))
		code, _, errOut := cli(t, args...)
		require.Equal(t, want.code, code, "%s: %s", line, errOut)
		require.Contains(t, errOut, want.says, line)
		require.NotContains(t, errOut, "strconv")
	}
	require.ErrorContains(t, noSuggestion(3, 1), "There is only 1 suggestion (got --suggestion 3).")
	require.ErrorContains(t, noSuggestion(3, 2), "There are only 2 suggestions (got --suggestion 3).")
}

// Commands that need a transcript say once why there is none: the transcription failed (6), or it isn't finished (10).
func TestNoTranscript(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "lib")
	require.NoError(t, openLibrary(t.Context(), data, engine.Config{Media: wav.Media{}, Transcriber: failing{engine.CodeBadMedia}}, func(ctx context.Context, l *library) error {
		add := func(name string) (engine.Recording, error) {
			return l.AddFile(ctx, l.me, testdata(name), engine.NewFile{NewRecording: engine.NewRecording{Title: name}})
		}
		err := l.work(ctx, func(ctx context.Context) error {
			r, err := add("conversation.wav")
			require.NoError(t, err)
			_, err = l.wait(ctx, r.ID)
			require.Equal(t, engine.CodeBadMedia, engine.CodeOf(err))
			return nil
		})
		require.NoError(t, err)
		_, err = add("tone.wav")
		return err
	}))
	for _, command := range []string{"edit REC --replace a=b", "relabel REC --name A=B", "show REC", "export REC --to srt -o DIR"} {
		for rec, want := range map[string]int{"1": 6, "2": 10} {
			args := strings.Fields(strings.NewReplacer("REC", rec, "DIR", t.TempDir()).Replace(command))
			code, _, errOut := cli(t, append([]string{"library", "--data", data}, args...)...)
			require.Equal(t, want, code, "%s: %s", command, errOut)
			require.Equal(t, 1, strings.Count(errOut, "soundstage:"), "%s: %s", command, errOut)
		}
	}
}

// -o - is standard output, and no file.
func TestOutputToStdout(t *testing.T) {
	wave, err := filepath.Abs(testdata("conversation.wav"))
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	code, plain, errOut := cli(t, "transcribe", wave)
	require.Zero(t, code, errOut)
	code, dash, errOut := cli(t, "transcribe", wave, "-o", "-")
	require.Zero(t, code, errOut)
	require.Equal(t, plain, dash)
	code, dash, errOut = cli(t, "transcribe", wave, "-o", "-", "--format", "srt")
	require.Zero(t, code, errOut)
	require.Contains(t, dash, " --> ")
	require.NoFileExists(t, "-")
}

// Media whose channels cancel each other out has no speech when it is mixed, and the error says why.
func TestInvertedPhase(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it listens to media")
	needFFmpeg(t)
	dir := t.TempDir()
	inverted, quiet := filepath.Join(dir, "inverted.wav"), filepath.Join(dir, "quiet.wav")
	for path, pan := range map[string]string{inverted: "pan=stereo|c0=c0|c1=-1*c0", quiet: "pan=stereo|c0=0*c0|c1=0*c0"} {
		out, err := exec.Command("ffmpeg", "-v", "error", "-i", testdata("conversation.wav"), "-af", pan, path).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	const says = "Its channels cancel each other out"
	code, out, errOut := cli(t, "diarize", inverted)
	require.Zero(t, code)
	require.Contains(t, out, "No speech found.")
	require.Contains(t, errOut, says)
	code, _, errOut = cli(t, "transcribe", inverted)
	require.Equal(t, 6, code)
	require.Contains(t, errOut, says)
	code, _, errOut = cli(t, "transcribe", inverted, "--language", "en")
	require.Zero(t, code)
	require.Contains(t, errOut, "no words were found. "+says)
	_, _, errOut = cli(t, "diarize", quiet)
	require.NotContains(t, errOut, says)
	_, _, errOut = cli(t, "transcribe", testdata("silence.wav"))
	require.NotContains(t, errOut, says)
}
