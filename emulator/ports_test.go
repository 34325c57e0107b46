package emulator_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// hears says a word in everything, by two speakers in turn; first it fails as often as it is told to.
type hears struct {
	media engine.Media
	fail  chan error
}

func (h hears) Transcribe(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
	select {
	case err := <-h.fail:
		return engine.Transcription{}, err
	default:
	}
	info, err := h.media.Probe(ctx, req.Source)
	if err != nil {
		return engine.Transcription{}, err
	}
	half := info.Duration / 2
	return engine.Transcription{Language: "en", Words: []transcript.Word{
		{Text: "live", End: half, Speaker: "Speaker 0"}, {Text: "words", Start: half, End: info.Duration, Speaker: "Speaker 1"},
	}}, nil
}

// writes says the same to whatever it is asked.
type writes struct{}

func (writes) Write(context.Context, engine.WriteRequest) (string, error) { return "live text", nil }
func (writes) ContextTokens() int                                         { return 10_000 }
func (writes) Translate(_ context.Context, req engine.TranslateRequest) ([]string, error) {
	for i := range req.Texts {
		req.Texts[i] = "live translation"
	}
	return req.Texts, nil
}

// live are the options of a sandbox whose work is done by others in their own time.
func live(fail chan error) emulator.Options {
	return emulator.Options{
		NewTranscriber: func(m engine.Media) (engine.Transcriber, error) { return hears{m, fail}, nil },
		LLM:            writes{}, Translator: writes{},
		Live:     []queue.Class{queue.ClassTranscribe, queue.ClassGenerate},
		Backends: control.Backends{Transcriber: control.Backend{Kind: "ears", Model: "large", Address: "http://ears.example"}},
	}
}

// A sandbox transcribes, writes and translates by what it is given, in the time that this takes: its clock is the wall's and no pace is
// put on it; fixtures and magic inputs say what they say all the same.
func TestLive(t *testing.T) {
	t.Parallel()
	c := newClient(t, live(nil))
	health := c.json(200, "GET", "/_soundstage/health", "")
	require.Equal(t, "real", health["clock"])
	require.Equal(t, map[string]any{
		"transcriber": map[string]any{"kind": "ears", "model": "large", "address": "http://ears.example"}, "llm": map[string]any{"kind": "fake"},
	}, health["backends"])

	begun := time.Now()
	id := c.record("tone.wav")
	c.eventually("/v1/recordings/"+id, "recording", "transcript_status", "completed")
	require.Less(t, time.Since(begun), 2*time.Second, "the pace of the hosted service is at least that")
	require.Contains(t, c.do("GET", "/v1/recordings/"+id+"/transcript?format=txt", "").Body.String(), "live")
	require.Contains(t, c.do("GET", "/v1/recordings/"+id+"/transcript?format=txt&language=de", "").Body.String(), "live translation")
	out := c.json(202, "POST", "/v1/recordings/"+id+"/generate", `{"prompt":"What is said?"}`)["output_id"].(string)
	done := c.eventually("/v1/outputs/"+out, "", "status", "completed")
	require.Equal(t, "live text", done["text"])

	silent := c.json(201, "POST", "/v1/transcripts", `{"url":"https://magic.soundstage.test/silence.mp3"}`)["id"].(string)
	require.Equal(t, []any{}, c.eventually("/v1/transcripts/"+silent, "", "status", "completed")["utterances"])
}

// Speakers are those of the transcriber, or of the diarizer where that is believed more; those of a fixture stay in either case.
func TestDiarizeAll(t *testing.T) {
	t.Parallel()
	const said = `{"transcripts":[{"match":{"filename":"silence.wav"},"utterances":[{"speaker":"Speaker 0","text":"One."},{"speaker":"Speaker 1","text":"Two."}]}]}`
	for all, want := range map[bool]int{false: 2, true: 1} {
		o := live(nil)
		o.DiarizeAll = all
		c := newClient(t, o)
		require.Equal(t, 201, c.do("POST", "/_soundstage/fixtures", said, "Content-Type", "application/json").Code)
		for file, speakers := range map[string]int{"tone.wav": want, "silence.wav": 2} {
			id := c.record(file)
			c.eventually("/v1/recordings/"+id, "recording", "transcript_status", "completed")
			text := c.do("GET", "/v1/recordings/"+id+"/transcript?format=txt", "").Body.String()
			seen := 0
			for _, label := range []string{"Speaker 0:", "Speaker 1:"} {
				if strings.Contains(text, label) {
					seen++
				}
			}
			require.Equal(t, speakers, seen, "%s, %v: %s", file, all, text)
		}
	}
}

// Where the clock is asked to be real, what is simulated takes as long as at the hosted service, beside work that isn't.
func TestLivePaced(t *testing.T) {
	t.Parallel()
	o := live(nil)
	o.Clock, o.Live = emulator.ClockReal, []queue.Class{queue.ClassTranscribe}
	c := newClient(t, o)
	id := c.record("tone.wav")
	c.eventually("/v1/recordings/"+id, "recording", "transcript_status", "completed")
	c.json(202, "POST", "/v1/recordings/"+id+"/generate", `{"prompt":"Sum it up."}`)
	var kinds []any
	for _, p := range c.json(200, "GET", "/_soundstage/clock", "")["pending"].([]any) {
		kinds = append(kinds, p.(map[string]any)["kind"])
	}
	require.Contains(t, kinds, "output.generate", "a simulated model takes its second")
}

// eventually polls until what a resource says of a field is what is wanted.
func (c *client) eventually(path, noun, field string, want any) map[string]any {
	c.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		v := c.json(200, "GET", path, "")
		if noun != "" {
			v = v[noun].(map[string]any)
		}
		if v[field] == want {
			return v
		}
		require.NotEqual(c.t, "error", v[field])
		require.NotEqual(c.t, "failed", v[field])
		require.True(c.t, time.Now().Before(deadline), "still %v", v[field])
	}
}

// No clock that would jump over the waits that a service asks for can be had where one works: not at the start, not by the control API,
// not in another world, not by a snapshot.
func TestLiveClock(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	for _, mode := range []emulator.ClockMode{"auto", "steps", "manual", "scaled:10"} {
		o := live(nil)
		o.Clock = mode
		_, err := emulator.New(t.Context(), o)
		var e *engine.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, engine.CodeInvalid, e.Code)
		require.Contains(t, e.Hint, "--replay")
	}
	snapshot := newClient(t, emulator.Options{Clock: emulator.ClockManual}).snapshotOf()
	c := newClient(t, live(nil))
	require.Equal(t, 400, c.do("PUT", "/_soundstage/clock", `{"mode":"auto"}`).Code)
	require.Equal(t, 400, c.do("POST", "/_soundstage/worlds", `{"clock":"manual"}`).Code)
	require.Equal(t, 201, c.do("POST", "/_soundstage/worlds", `{"name":"two"}`).Code)
	require.Equal(t, 200, c.do("PUT", "/_soundstage/snapshot", snapshot).Code)
	require.Equal(t, "real", c.json(200, "GET", "/_soundstage/clock", "")["mode"])
}

// What a service asks to be waited for is waited for: a try that it put off is not repeated at once.
func TestLiveRetryAfter(t *testing.T) {
	t.Parallel()
	fail := make(chan error, 1)
	fail <- engine.Errorf(engine.CodeUnavailable, "ears", "Not now.").After(time.Hour)
	c := newClient(t, live(fail))
	id := c.record("tone.wav")
	for len(fail) > 0 {
		time.Sleep(time.Millisecond)
	}
	c.eventuallyPending(id, 59*time.Minute)
}

// eventuallyPending polls until a job is to go on later than after a time.
func (c *client) eventuallyPending(id string, after time.Duration) {
	c.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		for _, p := range c.json(200, "GET", "/_soundstage/clock", "")["pending"].([]any) {
			if at, ok := p.(map[string]any)["at"].(string); ok && p.(map[string]any)["resource"] == id {
				due, err := time.Parse(time.RFC3339Nano, at)
				require.NoError(c.t, err)
				if time.Until(due) > after {
					return
				}
			}
		}
		require.True(c.t, time.Now().Before(deadline))
	}
}

// A transcriber that can't be made is why the sandbox doesn't start.
func TestNewTranscriberFails(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	broken := errors.New("broken")
	_, err := emulator.New(t.Context(), emulator.Options{NewTranscriber: func(engine.Media) (engine.Transcriber, error) { return nil, broken }})
	require.ErrorIs(t, err, broken)
}
