package command_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
	"github.com/soundstage-dev/soundstage/engine/command"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/engine/wav"
)

var formats = []string{"whisper.cpp", "whisper.cpp full", "WhisperX", "openai-whisper", "OpenAI", "ours"}

// The Transcriber passes the conformance suite, with a program that writes files and with one that prints.
func TestConformance(t *testing.T) {
	t.Parallel()
	for _, dialect := range []string{"whisper.cpp full", "ours"} {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			enginetest.TestTranscriber(t, func(t *testing.T, media engine.Media) engine.Transcriber {
				return open(t, func(c *command.Config) {
					c.Media, c.Concurrency = media, 2
					c.Args = append(c.Args, "as="+dialect, "language={language}", "prompt={prompt}", "words={words}", "speakers={speakers}")
				})
			})
		})
	}
}

// open returns a Transcriber that runs this test binary. The test fails if temporary files remain.
func open(t *testing.T, change func(*command.Config)) *command.Transcriber {
	t.Helper()
	c := command.Config{Program: os.Args[0], Args: []string{isProgram, "wav={wav}", "dir={dir}"}, Media: wav.Media{}, Folder: t.TempDir(), Env: []string{"GORACE"}}
	t.Cleanup(func() {
		left, err := os.ReadDir(c.Folder)
		require.NoError(t, err)
		require.Empty(t, left)
	})
	change(&c)
	tr, err := command.New(c)
	require.NoError(t, err)
	return tr
}

// with returns a change that appends arguments.
func with(args ...string) func(*command.Config) {
	return func(c *command.Config) { c.Args = append(c.Args, args...) }
}

func request() engine.TranscribeRequest {
	return engine.TranscribeRequest{Source: backendtest.Beeps(), Info: engine.MediaInfo{Duration: time.Second}, Language: "en"}
}

// Every JSON format gives the same words with the same times.
func TestDialects(t *testing.T) {
	t.Parallel()
	for _, dialect := range formats {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			got, err := open(t, with("as="+dialect)).Transcribe(t.Context(), request())
			require.NoError(t, err)
			require.Len(t, got.Words, 2)
			for i, w := range got.Words {
				require.Equal(t, []string{"word0", "word1"}[i], w.Text)
				require.Equal(t, time.Duration(200+400*i)*time.Millisecond, w.Start)
				require.Equal(t, time.Duration(400+400*i)*time.Millisecond, w.End)
				require.False(t, w.Estimated)
				if dialect != "whisper.cpp" && dialect != "OpenAI" {
					require.InDelta(t, 0.8, w.Confidence, 1e-9)
				}
				if dialect == "WhisperX" || dialect == "ours" {
					require.Equal(t, "Speaker 0", w.Speaker)
				} else {
					require.Empty(t, w.Speaker)
				}
			}
		})
	}
}

// Placeholders are replaced, and arguments with empty placeholders are left out with their flags.
func TestArguments(t *testing.T) {
	t.Parallel()
	all := []string{"echo", "-l", "{language}", "-k", "{known_language}", "--speakers", "{speakers}", "--words={words}", "-p", "{prompt}", "x{speakers}y{speakers}", "{not a placeholder}", `{"json":1}`}
	for name, c := range map[string]struct {
		req  engine.TranscribeRequest
		want string
	}{
		"nothing":     {engine.TranscribeRequest{}, `-l auto {not a placeholder} {"json":1}`},
		"no language": {engine.TranscribeRequest{Language: "--help"}, `-l auto {not a placeholder} {"json":1}`},
		"all": {engine.TranscribeRequest{Language: "de", SpeakersExpected: 2, BoostedWords: []string{"Zoë ", "", "a\nb"}, ContextPrompt: "$(reboot)\x00 'x'\n{wav}"},
			`-l de -k de --speakers 2 --words=Zoë, a b -p $(reboot) 'x' {wav} x2y2 {not a placeholder} {"json":1}`},
		"a title like an option": {engine.TranscribeRequest{ContextPrompt: "--output_dir /etc"}, `-l auto -p  --output_dir /etc {not a placeholder} {"json":1}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.req.Source = backendtest.Beeps()
			tr := open(t, with(all...))
			args := strings.Join(tr.Arguments(c.req), " ")
			_, args, ok := strings.Cut(args, "echo ")
			require.True(t, ok)
			require.Equal(t, c.want, args)
			_, err := tr.Transcribe(t.Context(), c.req)
			require.NoError(t, err)
		})
	}
	long := strings.Repeat("灯", 100_000)
	req := engine.TranscribeRequest{Source: backendtest.Beeps(), ContextPrompt: long, BoostedWords: []string{long, "b", strings.Repeat("c", 8000), strings.Repeat("d", 8000)}}
	args := open(t, with(all...)).Arguments(req)
	require.Less(t, len(strings.Join(args, " ")), 17_000)
	require.True(t, strings.HasPrefix(args[len(args)-3], "灯"))
	require.NotContains(t, strings.Join(args, " "), "\uFFFD")
}

// New rejects invalid arguments, a missing program, and a missing decoder.
func TestNew(t *testing.T) {
	t.Parallel()
	ok := command.Config{Program: os.Args[0], Args: []string{"{wav}"}, Media: wav.Media{}}
	_, err := command.New(ok)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		change func(*command.Config)
		code   engine.Code
		says   string
	}{
		"no media":             {func(c *command.Config) { c.Media = nil }, engine.CodeInvalid, "decoder"},
		"no program":           {func(c *command.Config) { c.Program = " " }, engine.CodeInvalid, "program"},
		"a missing program":    {func(c *command.Config) { c.Program = "no-such-program-anywhere" }, engine.CodeUnavailable, "not found"},
		"a folder":             {func(c *command.Config) { c.Program = os.TempDir() }, engine.CodeUnavailable, "not found"},
		"no sound":             {func(c *command.Config) { c.Args = []string{"-f", "wav"} }, engine.CodeInvalid, "{wav}"},
		"an unknown name":      {func(c *command.Config) { c.Args = append(c.Args, "--model={model}") }, engine.CodeInvalid, "--model={model}"},
		"a prompt first":       {func(c *command.Config) { c.Args = []string{"{prompt}", "{wav}"} }, engine.CodeInvalid, "option"},
		"a prompt alone":       {func(c *command.Config) { c.Args = []string{"{wav}", "{prompt}"} }, engine.CodeInvalid, "option"},
		"a prompt after --":    {func(c *command.Config) { c.Args = []string{"{wav}", "--", "{prompt}"} }, engine.CodeInvalid, "option"},
		"words alone":          {func(c *command.Config) { c.Args = []string{"--x=y", "{words}{wav}"} }, engine.CodeInvalid, "option"},
		"a zero in an option":  {func(c *command.Config) { c.Args = append(c.Args, "\x00") }, engine.CodeInvalid, "zero"},
		"the wrong characters": {func(c *command.Config) { c.Args = []string{"{WAV}"} }, engine.CodeInvalid, "{WAV}"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changed := ok
			c.change(&changed)
			_, err := command.New(changed)
			require.Equal(t, c.code, engine.CodeOf(err))
			require.ErrorContains(t, err, c.says)
		})
	}
}

// The program gets no secrets from the environment, except those that Config.Env names.
func TestEnvironment(t *testing.T) {
	t.Setenv("SOUNDSTAGE_TEST_API_KEY", "first secret")
	t.Setenv("SOUNDSTAGE_TEST_HF_TOKEN", "second secret")
	t.Setenv("CUDA_VISIBLE_DEVICES", "seventh card")
	tr := open(t, func(c *command.Config) {
		c.Args, c.Env = append(c.Args, "echo"), append(c.Env, "SOUNDSTAGE_TEST_HF_TOKEN")
	})
	got, err := tr.Transcribe(t.Context(), request())
	require.NoError(t, err)
	said := transcript.JoinWords(got.Words, "en")
	require.NotContains(t, said, "first secret")
	require.Contains(t, said, "second secret")
	require.Contains(t, said, "seventh card")
	require.Contains(t, said, "PATH=")
}

// A checkpoint saves a run. It isn't used for another sound or other arguments, or if its content is invalid.
func TestNotes(t *testing.T) {
	t.Parallel()
	runs := filepath.Join(t.TempDir(), "runs")
	count := func() int {
		b, err := os.ReadFile(runs)
		require.NoError(t, err)
		return strings.Count(string(b), "run")
	}
	notes := &backendtest.Checkpoints{}
	req := request()
	req.Checkpoints = notes
	first, err := open(t, with("as=WhisperX", "runs="+runs)).Transcribe(t.Context(), req)
	require.NoError(t, err)
	second, err := open(t, with("as=WhisperX", "runs="+runs)).Transcribe(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, first, second)
	require.Equal(t, 1, count())

	_, err = open(t, with("as=WhisperX", "runs="+runs, "-x")).Transcribe(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, 2, count())
	other := backendtest.Beeps()
	other[len(other)-1] = 1
	req.Source = other
	_, err = open(t, with("as=WhisperX", "runs="+runs)).Transcribe(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, 3, count())

	for name := range notes.All() {
		require.NoError(t, notes.Save(t.Context(), name, []byte(`{"text":"another program's"}`)))
	}
	_, err = open(t, with("as=WhisperX", "runs="+runs)).Transcribe(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, 4, count())
	full := engine.Errorf(engine.CodeNoSpace, "Keep", "The disk is full.")
	notes.Fail(full)
	_, err = open(t, with("as=WhisperX", "runs="+runs)).Transcribe(t.Context(), req)
	require.ErrorIs(t, err, full)
	require.Equal(t, 4, count())
}

// Progress is read from standard error, and ends at 1.
func TestProgress(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var reported []float64
	req := request()
	req.Progress = func(done float64) {
		mu.Lock()
		defer mu.Unlock()
		reported = append(reported, done)
	}
	stderr := "model: 3.1 GB\nprogress =  50%\r 75.5%|#### | 12/16\nprogress = 20%\n101%\n1.2.3%\n" + strings.Repeat("y", 5000) + " 99%\n100%|##|\n"
	_, err := open(t, with("stderr="+stderr, `answer={"text":"a"}`)).Transcribe(t.Context(), req)
	require.NoError(t, err)
	require.IsIncreasing(t, append([]float64{-1}, dedupe(reported)...))
	var rounded []float64
	for _, v := range dedupe(reported) {
		rounded = append(rounded, math.Round(v*1000)/1000)
	}
	require.Equal(t, []float64{0.1, 0.54, 0.764, 0.98, 1}, rounded)
}

func dedupe(values []float64) (out []float64) {
	for i, v := range values {
		if i == 0 || v != values[i-1] {
			out = append(out, v)
		}
	}
	return out
}
