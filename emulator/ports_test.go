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

// liveTranscriber is a Transcriber that returns two words of two speakers, after the errors in fail.
type liveTranscriber struct {
	media engine.Media
	fail  chan error
}

func (h liveTranscriber) Transcribe(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
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

// liveLLM is an LLM and a Translator with fixed results.
type liveLLM struct{}

func (liveLLM) Write(context.Context, engine.WriteRequest) (string, error) { return "live text", nil }
func (liveLLM) ContextTokens() int                                         { return 10_000 }
func (liveLLM) Translate(_ context.Context, req engine.TranslateRequest) ([]string, error) {
	for i := range req.Texts {
		req.Texts[i] = "live translation"
	}
	return req.Texts, nil
}

// live returns the options of a sandbox with real backends.
func live(fail chan error) emulator.Options {
	return emulator.Options{
		NewTranscriber: func(m engine.Media) (engine.Transcriber, error) { return liveTranscriber{m, fail}, nil },
		LLM:            liveLLM{}, Translator: liveLLM{},
		Live:     []queue.Class{queue.ClassTranscribe, queue.ClassGenerate},
		Backends: control.Backends{Transcriber: control.Backend{Kind: "ears", Model: "large", Address: "http://ears.example"}},
	}
}

// A sandbox with real backends uses their results without simulated delays, on the wall clock. Magic inputs still apply.
func TestLive(t *testing.T) {
	t.Parallel()
	c := newClient(t, live(nil))
	health := c.json(200, "GET", "/_soundstage/health", "")
	require.Equal(t, "real", health["clock"])
	require.Equal(t, map[string]any{
		"transcriber": map[string]any{"kind": "ears", "model": "large", "address": "http://ears.example"}, "llm": map[string]any{"kind": "fake"},
	}, health["backends"])

	var id string
	took := time.Hour
	for range 5 { // the machine may be busy
		begun := time.Now()
		id = c.record("tone.wav")
		c.eventually("/v1/recordings/"+id, "recording", "transcript_status", "completed")
		if took = min(took, time.Since(begun)); took < 2*time.Second {
			break
		}
	}
	require.Less(t, took, 2*time.Second, "a simulated job takes at least that long")
	require.Contains(t, c.do("GET", "/v1/recordings/"+id+"/transcript?format=txt", "").Body.String(), "live")
	require.Contains(t, c.do("GET", "/v1/recordings/"+id+"/transcript?format=txt&language=de", "").Body.String(), "live translation")
	out := c.json(202, "POST", "/v1/recordings/"+id+"/generate", `{"prompt":"What is said?"}`)["output_id"].(string)
	done := c.eventually("/v1/outputs/"+out, "", "status", "completed")
	require.Equal(t, "live text", done["text"])

	silent := c.json(201, "POST", "/v1/transcripts", `{"url":"https://magic.soundstage.test/silence.mp3"}`)["id"].(string)
	require.Equal(t, []any{}, c.eventually("/v1/transcripts/"+silent, "", "status", "completed")["utterances"])
}

// A job tells how many of its attempts ended because its service was away.
func TestJobOutages(t *testing.T) {
	t.Parallel()
	fail := make(chan error, 1)
	fail <- engine.Errorf(engine.CodeUnavailable, "", "The ears restart.").InOutage()
	c := newClient(t, live(fail))
	id := c.record("tone.wav")
	c.eventually("/v1/recordings/"+id, "recording", "transcript_status", "completed")
	for _, j := range c.json(200, "GET", "/_soundstage/jobs?resource="+id, "")["jobs"].([]any) {
		if job := j.(map[string]any); job["class"] == "transcribe" {
			require.EqualValues(t, 2, job["attempt"])
			require.EqualValues(t, 1, job["outages"])
			return
		}
	}
	t.Fatal("no transcription")
}

// Speakers come from the transcriber, or from the diarizer with DiarizeAll. A fixture's speakers stay in both cases.
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
			for _, label := range []string{"Speaker 1:", "Speaker 2:"} {
				if strings.Contains(text, label) {
					seen++
				}
			}
			require.Equal(t, speakers, seen, "%s, %v: %s", file, all, text)
		}
	}
}

// With an explicit real clock, simulated jobs take as long as at the hosted service, and live ones don't.
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
	require.Contains(t, kinds, "output.generate", "the simulated model still waits")
}

// eventually polls until a field of a resource has a value.
func (c *client) eventually(path, noun, field string, want any) map[string]any {
	c.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(5 * time.Millisecond) {
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

// With a real backend, no clock that would skip its waits is accepted: at the start, by the control API, in another world, or by a
// snapshot.
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

// A retry waits as long as the backend requests.
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

// eventuallyPending polls until a job is pending for longer than a duration.
func (c *client) eventuallyPending(id string, after time.Duration) {
	c.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(5 * time.Millisecond) {
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

// New returns the error of NewTranscriber.
func TestNewTranscriberFails(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	broken := errors.New("broken")
	_, err := emulator.New(t.Context(), emulator.Options{NewTranscriber: func(engine.Media) (engine.Transcriber, error) { return nil, broken }})
	require.ErrorIs(t, err, broken)
}
