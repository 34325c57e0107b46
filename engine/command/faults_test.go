package command_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/command"
	"github.com/soundstage-dev/soundstage/engine/wav"
)

// Whatever goes wrong with the program is an error that says what, and what to do.
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
		"exit and answer":  {args: []string{"exit=1", `answer={"text":"a"}`}, says: "The transcriber failed.", cause: "exit status 1"},
		"killed":           {args: []string{"crash", "stderr=allocating"}, retryable: true, says: "by a signal: killed", cause: "allocating"},
		"too slow":         {args: []string{"hang"}, timeout: 200 * time.Millisecond, says: "took longer than 200ms", cause: "killed"},
		"no JSON":          {args: []string{"answer=Hello there!"}, says: "no JSON", cause: "there is none"},
		"nothing":          {args: []string{"stderr=nothing to do"}, says: "no JSON", cause: "nothing to do"},
		"broken JSON":      {args: []string{`answer={"text":"a`}, says: "no JSON", cause: "unexpected end"},
		"other JSON":       {args: []string{`answer={"error":"x"}`}, says: "no JSON", cause: "no transcript that is known"},
		"wrong types":      {args: []string{`answer={"segments":7}`}, says: "no JSON", cause: "cannot unmarshal"},
		"a list":           {args: []string{`answer=[{"text":"a"}]`}, says: "no JSON", cause: "there is none"},
		"null":             {args: []string{`answer={"text":null,"segments":null}`}, says: "no JSON", cause: "known"},
		"garbage":          {args: []string{"garbage"}, says: "no JSON", cause: "there is none"},
		"more garbage":     {args: []string{"flood"}, says: "printed more than 64 MiB", cause: "killed"},
		"garbage and exit": {args: []string{"garbage", "exit=0", "answer=x"}, says: "printed more than 64 MiB", cause: ""},
		"a broken file":    {args: []string{"file=audio.wav.json", `json={"transcription":`}, says: "no JSON", cause: "unexpected end"},
		"long complaints":  {args: []string{"exit=1", "stderr=" + strings.Repeat("x", 100_000) + "the end"}, says: "The transcriber failed.", cause: "xthe end"},
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

// A program that is removed after New is missed with a hint.
func TestProgramGone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "program")
	require.NoError(t, os.WriteFile(path, []byte("no program at all"), 0o700))
	tr := open(t, func(c *command.Config) { c.Program = path })
	for range 2 {
		_, err := tr.Transcribe(t.Context(), request())
		require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
		require.ErrorContains(t, err, "could not be started")
		_ = os.Remove(path)
	}
}

// Canceling ends the program and what it has started, and a run that waits for its turn.
func TestCancel(t *testing.T) {
	t.Parallel()
	held := filepath.Join(t.TempDir(), "child")
	tr := open(t, with("hold="+held, "hang"))
	ctx, cancel := context.WithCancel(t.Context())
	running, waiting := make(chan error, 1), make(chan error, 1)
	go func() { _, err := tr.Transcribe(ctx, request()); running <- err }()
	var pid int
	require.Eventually(t, func() bool {
		b, _ := os.ReadFile(held)
		pid, _ = strconv.Atoi(string(b))
		return pid > 0
	}, 20*time.Second, 5*time.Millisecond)
	go func() { _, err := tr.Transcribe(ctx, request()); waiting <- err }()
	require.NoError(t, syscall.Kill(pid, 0))
	cancel()
	for _, over := range []chan error{running, waiting} {
		require.Equal(t, engine.CodeCanceled, engine.CodeOf(<-over))
	}
	require.Eventually(t, func() bool { return gone(pid) }, 20*time.Second, 5*time.Millisecond)
}

// gone reports whether a process has ended, even if nobody has asked for its status yet.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(stat), ") Z ")
}

// A folder for temporary files that isn't there is a defect of the configuration, not of the media.
func TestFolder(t *testing.T) {
	t.Parallel()
	tr, err := command.New(command.Config{Program: os.Args[0], Args: []string{"{wav}"}, Media: wav.Media{}, Folder: filepath.Join(t.TempDir(), "none")})
	require.NoError(t, err)
	_, err = tr.Transcribe(t.Context(), request())
	require.Equal(t, engine.CodeInternal, engine.CodeOf(err))
}

// Words of any kind become words that are in order and inside the media, or none.
func TestWords(t *testing.T) {
	t.Parallel()
	ms := time.Millisecond
	word := func(text string, from, to time.Duration, confidence float64, speaker string, estimated bool) engine.Word {
		return engine.Word{Text: text, Start: from * ms, End: to * ms, Confidence: confidence, Speaker: speaker, Estimated: estimated}
	}
	for name, c := range map[string]struct {
		answer string
		want   []engine.Word
	}{
		"empty text":        {`{"text":""}`, nil},
		"empty whisper.cpp": {`{"result":{"language":"en"},"transcription":[]}`, nil},
		"empty WhisperX":    {`{"segments":[],"word_segments":[],"language":"en"}`, nil},
		"empty ours":        {`{"utterances":[]}`, nil},
		"text alone":        {`{"text":"a b"}`, []engine.Word{word("a", 0, 500, 1, "", true), word("b", 500, 1000, 1, "", true)}},
		"NaN": {`{"segments":[{"start":NaN,"end":-Infinity,"text":"say \"NaN\"","words":[{"word":"say","start":0.1,"end":0.2,"score":NaN},{"word":"NaN","start":Infinity,"end":0.4},{"word":"\"it\\","start":0.4,"end":0.5,"score":0.5}]}]}`,
			[]engine.Word{word("say", 100, 200, 1, "", false), word("NaN", 200, 400, 1, "", true), word(`"it\`, 400, 500, 0.5, "", false)}},
		"overlaps": {`{"segments":[{"start":0,"end":1,"words":[{"word":"a","start":0.1,"end":0.5},{"word":"b","start":0.2,"end":7}]}]}`, []engine.Word{word("a", 100, 200, 1, "", false), word("b", 200, 1000, 1, "", false)}},
		"words that have no times": {`{"segments":[{"start":0.2,"end":0.8,"text":"in 2014","words":[{"word":"in","start":0.2,"end":0.4,"score":0.7,"speaker":"SPEAKER_01"},{"word":"2014"}]}]}`,
			[]engine.Word{word("in", 200, 400, 0.7, "Speaker 0", false), word("2014", 400, 800, 1, "Speaker 0", true)}},
		"pieces": {`{"segments":[{"start":0,"end":1,"words":[{"word":" it","start":0,"end":0.1,"probability":0.9},{"word":"'s","start":0.1,"end":0.2,"probability":0.4},{"word":" on","start":0.2,"end":0.3,"probability":0.8}]}]}`,
			[]engine.Word{word("it's", 0, 200, 0.4, "", false), word("on", 200, 300, 0.8, "", false)}},
		"pieces of Chinese": {`{"result":{"language":"zh"},"transcription":[{"offsets":{"from":0,"to":400},"text":"你好。","tokens":[{"text":"你","offsets":{"from":0,"to":100},"p":0.9},{"text":"好","offsets":{"from":100,"to":300},"p":0.8},{"text":"。","offsets":{"from":300,"to":400},"p":0.9}]}]}`,
			[]engine.Word{word("你", 0, 100, 0.9, "", false), word("好。", 100, 400, 0.8, "", false)}},
		"broken pieces": {`{"result":{"language":"en"},"transcription":[{"offsets":{"from":0,"to":400},"text":" naïve it","tokens":[{"text":" na\ufffd","offsets":{"from":0,"to":100}},{"text":"\ufffdve","offsets":{"from":100,"to":200}},{"text":" it","offsets":{"from":200,"to":400}}]}]}`,
			[]engine.Word{word("naïve", 0, 286, 1, "", true), word("it", 286, 400, 1, "", true)}},
		"speakers of channels": {`{"transcription":[{"offsets":{"from":0,"to":100},"text":" a","speaker":"1"},{"offsets":{"from":200,"to":300},"text":" b","speaker":"0"},{"offsets":{"from":400,"to":500},"text":" c","speaker":"?"}]}`,
			[]engine.Word{word("a", 0, 100, 1, "Speaker 0", false), word("b", 200, 300, 1, "Speaker 1", false), word("c", 400, 500, 1, "Speaker 1", false)}},
		"turns": {`{"transcription":[{"offsets":{"from":0,"to":100},"text":" a","speaker_turn_next":true},{"offsets":{"from":200,"to":300},"text":" b"}]}`,
			[]engine.Word{word("a", 0, 100, 1, "Speaker 0", false), word("b", 200, 300, 1, "Speaker 1", false)}},
		"behind lines of a log": {"loading the model\n{\"text\":\"a\"}\n", []engine.Word{word("a", 0, 1000, 1, "", true)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := open(t, with("answer="+c.answer)).Transcribe(t.Context(), request())
			require.NoError(t, err)
			require.Len(t, got.Words, len(c.want))
			for i := range c.want {
				require.Equal(t, c.want[i], got.Words[i])
			}
		})
	}
}

// JSON of any name beside the sound is read; what is printed comes first.
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
			require.Equal(t, c.want, engine.JoinWords(got.Words, "en"))
		})
	}
}

// A sound without samples, and one in a language that is told, need no more than there is.
func TestSounds(t *testing.T) {
	t.Parallel()
	req := request()
	req.Language = ""
	got, err := open(t, with(`answer={"text":"a","language":"german"}`)).Transcribe(t.Context(), req)
	require.NoError(t, err)
	require.EqualValues(t, "de", got.Language)

	req.Source = beeps()[:44]
	tr := open(t, func(c *command.Config) { c.Media = nothing{}; c.Args = append(c.Args, "exit=1") })
	got, err = tr.Transcribe(t.Context(), req)
	require.NoError(t, err)
	require.Empty(t, got.Words)
}

// nothing is Media in which there is no sound.
type nothing struct{ engine.Media }

func (nothing) Decode(context.Context, engine.Source) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader("")), nil
}
