package command_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
	"github.com/soundstage-dev/soundstage/engine/command"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/engine/wav"
	"github.com/soundstage-dev/soundstage/internal/executable"
)

// Every failure of the program is an error with its cause and a hint.
func TestFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args      []string
		timeout   time.Duration
		retryable bool
		says      string
		cause     string
	}{
		"exit status":      {args: []string{"exit=3", "stderr=model not found"}, says: "The transcriber failed.", cause: "exit status 3: model not found"},
		"exit and output":  {args: []string{"exit=1", `answer={"text":"a"}`}, says: "The transcriber failed.", cause: "exit status 1"},
		"killed":           {args: []string{"crash", "stderr=allocating"}, retryable: true, says: "by a signal: killed", cause: "allocating"},
		"too slow":         {args: []string{"hang"}, timeout: 200 * time.Millisecond, says: "took longer than 200ms", cause: "killed"},
		"no JSON":          {args: []string{"answer=Hello there!"}, says: "no JSON", cause: "no JSON found"},
		"nothing":          {args: []string{"stderr=nothing to do"}, says: "no JSON", cause: "nothing to do"},
		"broken JSON":      {args: []string{`answer={"text":"a`}, says: "no JSON", cause: "unexpected end"},
		"other JSON":       {args: []string{`answer={"error":"x"}`}, says: "no JSON", cause: "not in a known transcript format"},
		"wrong types":      {args: []string{`answer={"segments":7}`}, says: "no JSON", cause: "cannot unmarshal"},
		"a list":           {args: []string{`answer=[{"text":"a"}]`}, says: "no JSON", cause: "no JSON found"},
		"null":             {args: []string{`answer={"text":null,"segments":null}`}, says: "no JSON", cause: "known"},
		"garbage":          {args: []string{"garbage"}, says: "no JSON", cause: "no JSON found"},
		"more garbage":     {args: []string{"flood"}, says: "printed more than 64 MiB", cause: "killed"},
		"garbage and exit": {args: []string{"garbage", "exit=0", "answer=x"}, says: "printed more than 64 MiB", cause: ""},
		"a broken file":    {args: []string{"file=audio.wav.json", `json={"transcription":`}, says: "no JSON", cause: "unexpected end"},
		"long stderr":      {args: []string{"exit=1", "stderr=" + strings.Repeat("x", 100_000) + "the end"}, says: "The transcriber failed.", cause: "xthe end"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr := open(t, func(cfg *command.Config) { cfg.Args, cfg.Timeout = append(cfg.Args, c.args...), c.timeout })
			got, err := tr.Transcribe(t.Context(), request())
			var e *engine.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, engine.CodeUnavailable, e.Code)
			require.Equal(t, c.retryable, e.Retryable)
			require.Contains(t, e.Msg, c.says)
			require.NotEmpty(t, e.Hint)
			require.ErrorContains(t, e.Err, c.cause)
			require.Less(t, len(err.Error()), 5000)
			require.Empty(t, got.Words)
		})
	}
}

// A program that can't be executed, or is removed after New, is CodeUnavailable.
func TestProgramGone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "program")
	executable.Write(t, path, "no program at all")
	tr := open(t, func(c *command.Config) { c.Program = path })
	for range 2 {
		_, err := tr.Transcribe(t.Context(), request())
		require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
		require.ErrorContains(t, err, "could not be started")
		_ = os.Remove(path)
	}
}

// A missing folder for temporary files is CodeInternal, not an error of the media.
func TestFolder(t *testing.T) {
	t.Parallel()
	tr, err := command.New(command.Config{Program: os.Args[0], Args: []string{"{wav}"}, Media: wav.Media{}, Folder: filepath.Join(t.TempDir(), "none")})
	require.NoError(t, err)
	_, err = tr.Transcribe(t.Context(), request())
	require.Equal(t, engine.CodeInternal, engine.CodeOf(err))
}

// A JSON file of any name next to the WAV file is read. Printed JSON takes precedence.
func TestBeside(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"any name":    {[]string{"file=result.JSON", `json={"text":"file"}`}, "file"},
		"both":        {[]string{"file=audio.json", `json={"text":"file"}`, `answer={"text":"printed"}`}, "printed"},
		"printed log": {[]string{"file=audio.json", `json={"text":"file"}`, `answer={"progress":1}`}, "file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := open(t, with(c.args...)).Transcribe(t.Context(), request())
			require.NoError(t, err)
			require.Equal(t, c.want, transcript.JoinWords(got.Words, "en"))
		})
	}
}

// The program's language is used if the request has none. Media without samples has no words, and the program doesn't run.
func TestSounds(t *testing.T) {
	t.Parallel()
	req := request()
	req.Language = ""
	got, err := open(t, with(`answer={"text":"a","language":"german"}`)).Transcribe(t.Context(), req)
	require.NoError(t, err)
	require.EqualValues(t, "de", got.Language)

	req.Source = backendtest.Beeps()[:44]
	tr := open(t, func(c *command.Config) { c.Media = nothing{}; c.Args = append(c.Args, "exit=1") })
	got, err = tr.Transcribe(t.Context(), req)
	require.NoError(t, err)
	require.Empty(t, got.Words)
}

// nothing is a Media whose sound is empty.
type nothing struct{ engine.Media }

func (nothing) Decode(context.Context, engine.Source) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader("")), nil
}
