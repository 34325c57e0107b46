package assemblyai_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/assemblyai"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// A fault before the server accepts the work has its own Code, Retryable, and RetryAfter.
func TestFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault     backendtest.Fault
		code      engine.Code
		retryable bool
		after     time.Duration
	}{
		"429":           {backendtest.Status(429, "7", `{"error":"slow down"}`), engine.CodeUnavailable, true, 7 * time.Second},
		"500":           {backendtest.Status(500, "", `oops`), engine.CodeUnavailable, true, 0},
		"503 for long":  {backendtest.Status(503, "86400", ``), engine.CodeUnavailable, true, time.Hour},
		"400":           {backendtest.Status(400, "", `{"error":"no"}`), engine.CodeUnavailable, false, 0},
		"401":           {backendtest.Status(401, "", `{"error":"no"}`), engine.CodeUnavailable, false, 0},
		"slow":          {backendtest.Silent(time.Minute), engine.CodeUnavailable, true, 0},
		"cut off":       {backendtest.CutOff(`{"id":"x","upload_url":"http`), engine.CodeUnavailable, true, 0},
		"content type":  {backendtest.Answer("text/html", `<html>`), engine.CodeUnavailable, true, 0},
		"nothing in it": {backendtest.Answer("application/json", `{}`), engine.CodeUnavailable, true, 0},
		"wrong types":   {backendtest.Answer("application/json", `{"id":7,"upload_url":{}}`), engine.CodeUnavailable, true, 0},
		"garbage":       {backendtest.Garbage(1 << 20), engine.CodeUnavailable, true, 0},
		"more garbage":  {backendtest.Garbage(64<<20 + 1), engine.CodeUnavailable, false, 0},
	} {
		for at, before := range map[string][]backendtest.Fault{"upload": nil, "submit": {nil}} {
			if name == "more garbage" && at == "submit" {
				continue // too slow
			}
			t.Run(name+" at the "+at, func(t *testing.T) {
				t.Parallel()
				s := backendtest.NewAssemblyAI(t)
				s.Break(append(before, c.fault)...)
				tr := open(t, s, func(cfg *assemblyai.Config) {
					if name == "slow" {
						cfg.Timeout, cfg.UploadTimeout = 50*time.Millisecond, 50*time.Millisecond
					}
				})
				got, err := tr.Transcribe(t.Context(), request(t, &backendtest.Checkpoints{}))
				requireError(t, err, c.code, c.retryable, c.after)
				require.Empty(t, got.Words)
			})
		}
	}
}

func requireError(t *testing.T, err error, code engine.Code, retryable bool, after time.Duration) {
	t.Helper()
	var e *engine.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, code, e.Code, "%v", err)
	require.Equal(t, retryable, e.Retryable, "%v", err)
	require.Equal(t, after, e.RetryAfter)
	require.NotEmpty(t, e.Msg)
	require.NotContains(t, e.Msg+e.Hint, "oops")
}

// Failed polls lose nothing. Pauses between polls grow, and obey Retry-After.
func TestPolls(t *testing.T) {
	t.Parallel()
	s := backendtest.NewAssemblyAI(t)
	clock := &backendtest.Clock{}
	s.Polls = 3
	fault := []backendtest.Fault{
		backendtest.Status(429, "33", ""), backendtest.Status(500, "", ""), backendtest.CutOff(`{"status":"compl`), backendtest.Answer("application/json", `{"status":"completed","words":7,"text":"half"}`),
	}
	s.Break(append(append([]backendtest.Fault{nil, nil}, fault...), nil)...)
	s.Break(fault[1:]...)
	got, err := open(t, s, func(c *assemblyai.Config) { c.Clock = clock }).Transcribe(t.Context(), request(t, nil))
	require.NoError(t, err)
	require.Len(t, got.Words, 2)
	require.Len(t, s.Submitted(), 1)
	pauses := clock.Pauses()
	require.Equal(t, []time.Duration{time.Second, 33 * time.Second, 10 * time.Second}, pauses[:3])
	require.Len(t, pauses, 11)
	for _, p := range pauses[2:] {
		require.Equal(t, 10*time.Second, p)
	}

	s = backendtest.NewAssemblyAI(t)
	s.Polls, clock = 8, &backendtest.Clock{}
	_, err = open(t, s, func(c *assemblyai.Config) { c.Clock = clock }).Transcribe(t.Context(), request(t, nil))
	require.NoError(t, err)
	for i, p := range clock.Pauses()[1:] {
		require.GreaterOrEqual(t, p, clock.Pauses()[i])
	}
	require.Equal(t, 1500*time.Millisecond, clock.Pauses()[1])
	require.Equal(t, 10*time.Second, clock.Pauses()[8])
}

// After repeated failures or a timeout, the next attempt continues without a new request.
func TestPollsInVain(t *testing.T) {
	t.Parallel()
	s := backendtest.NewAssemblyAI(t)
	notes := &backendtest.Checkpoints{}
	fail := backendtest.Status(503, "5", "")
	s.Break(nil, nil, fail, fail, fail, fail, fail)
	_, err := open(t, s, nil).Transcribe(t.Context(), request(t, notes))
	requireError(t, err, engine.CodeUnavailable, true, 5*time.Second)

	s.Polls = 1 << 30
	clock := &backendtest.Clock{}
	_, err = open(t, s, func(c *assemblyai.Config) { c.Clock, c.Wait = clock, time.Minute }).Transcribe(t.Context(), request(t, notes))
	requireError(t, err, engine.CodeUnavailable, true, 0)
	require.Greater(t, len(clock.Pauses()), 5)

	s.Polls = 0
	_, err = open(t, s, nil).Transcribe(t.Context(), request(t, notes))
	require.NoError(t, err)
	require.Len(t, s.Submitted(), 1)

	s.Break(backendtest.Status(401, "", "")) // waiting is useless
	_, err = open(t, s, nil).Transcribe(t.Context(), request(t, notes))
	requireError(t, err, engine.CodeUnavailable, false, 0)
}

// Cancellation ends a pause immediately.
func TestCancelPause(t *testing.T) {
	t.Parallel()
	s := backendtest.NewAssemblyAI(t)
	tr := open(t, s, func(c *assemblyai.Config) { c.Clock, c.Poll = nil, time.Hour })
	req := request(t, nil)
	done := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, err := tr.Transcribe(ctx, req)
		done <- err
	}()
	require.Eventually(t, func() bool { return len(s.Submitted()) == 1 }, time.Minute, time.Millisecond)
	cancel()
	require.Equal(t, engine.CodeCanceled, engine.CodeOf(<-done))
}

// The text of a transcript's error distinguishes bad media from other failures. No speech is not an error.
func TestErrors(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]engine.Code{
		"language_detection cannot be performed on files with no spoken audio.": "",
		"Transcoding failed. File does not appear to contain audio.":            engine.CodeBadMedia,
		"Audio duration is too short.":                                          engine.CodeBadMedia,
		"File type is text/html.":                                               engine.CodeBadMedia,
		"Server error, developers have been alerted.":                           engine.CodeUnavailable,
		"":                         engine.CodeUnavailable,
		strings.Repeat("ü", 10000): engine.CodeUnavailable,
	} {
		s := backendtest.NewAssemblyAI(t)
		s.Break(nil, nil, func(w http.ResponseWriter, r *http.Request) {
			backendtest.Answer("application/json", `{"status":"error","error":"`+said+`","words":null}`)(w, r)
		})
		got, err := open(t, s, nil).Transcribe(t.Context(), request(t, nil))
		require.Equal(t, want, engine.CodeOf(err), said)
		require.Empty(t, got.Words)
		if err != nil {
			requireError(t, err, want, false, 0)
			require.Less(t, len(err.Error()), 1000)
		}
	}
}

// Words with any times become ordered words within the media, or are dropped.
func TestWords(t *testing.T) {
	t.Parallel()
	ms := time.Millisecond
	word := func(text string, from, to time.Duration, confidence float64, speaker string, estimated bool) transcript.Word {
		return transcript.Word{Text: text, Start: from * ms, End: to * ms, Confidence: confidence, Speaker: speaker, Estimated: estimated}
	}
	for name, c := range map[string]struct {
		answer string
		want   []transcript.Word
	}{
		"empty":    {`"words":[],"text":""`, nil},
		"nothing":  {`"words":null,"text":null,"utterances":null`, nil},
		"NaN":      {`"words":[{"text":"a","start":0,"end":100,"confidence":NaN},{"text":"b","start":NaN,"end":Infinity},{"text":"c","start":300,"end":400,"confidence":0.5}]`, []transcript.Word{word("a", 0, 100, 1, "", false), word("b", 100, 300, 1, "", true), word("c", 300, 400, 0.5, "", false)}},
		"overlaps": {`"words":[{"text":"a","start":100,"end":500,"confidence":2},{"text":"b","start":200,"end":400,"confidence":-1}]`, []transcript.Word{word("a", 100, 200, 1, "", false), word("b", 200, 400, 0, "", false)}},
		"outside":  {`"words":[{"text":"a","start":-100,"end":500},{"text":"b","start":800,"end":99000}]`, []transcript.Word{word("a", 0, 500, 1, "", false), word("b", 800, 1000, 1, "", false)}},
		"speakers": {`"words":[{"text":"a","start":0,"end":100,"speaker":"B"},{"text":"b","start":100,"end":200,"speaker":"A"},{"text":"c","start":200,"end":300,"speaker":null}]`, []transcript.Word{word("a", 0, 100, 1, "Speaker 0", false), word("b", 100, 200, 1, "Speaker 1", false), word("c", 200, 300, 1, "Speaker 1", false)}},
		"utterances alone": {`"utterances":[{"text":"a b","start":0,"end":400,"speaker":"C"},{"start":500,"end":700,"speaker":"D","words":[{"text":"c","start":500,"end":700}]}]`,
			[]transcript.Word{word("a", 0, 200, 1, "Speaker 0", true), word("b", 200, 400, 1, "Speaker 0", true), word("c", 500, 700, 1, "Speaker 1", false)}},
		"text alone": {`"text":"a b"`, []transcript.Word{word("a", 0, 500, 1, "", true), word("b", 500, 1000, 1, "", true)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := backendtest.NewAssemblyAI(t)
			s.Break(nil, nil, backendtest.Answer("application/json", `{"status":"completed","language_code":"de_ch",`+c.answer+`}`))
			req := request(t, nil)
			req.Language = ""
			got, err := open(t, s, nil).Transcribe(t.Context(), req)
			require.NoError(t, err)
			require.EqualValues(t, "de", got.Language)
			require.Len(t, got.Words, len(c.want))
			for i := range c.want {
				require.Equal(t, c.want[i], got.Words[i])
			}
		})
	}
}
