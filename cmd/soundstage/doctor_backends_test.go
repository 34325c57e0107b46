package main

import (
	"bytes"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/backends"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
)

// brokenBackend is what doctor says about a backend with a fault.
type brokenBackend struct {
	faults      []backendtest.Fault
	found, hint string
}

const chatReply = `{"choices":[{"message":{"content":"Record in"},"finish_reason":"length"}],"usage":{"prompt_tokens":400,"completion_tokens":4096}}`

// sharedFaults are faults of every server.
var sharedFaults = map[string]brokenBackend{
	"loading":        {one(backendtest.Status(503, "", `{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`)), "failed. (status 503", "loading its model"},
	"rate limit":     {one(backendtest.Status(429, "20", `{"error":"slow down"}`)), "received too many requests", "Wait a minute"},
	"no balance":     {one(backendtest.Status(402, "", `{}`)), "requires payment", "balance"},
	"wrong key":      {one(backendtest.Status(401, "", `{}`)), "did not accept the key", "Check the key"},
	"no model":       {one(backendtest.Status(404, "", `{"error":"model 'm' not found"}`)), "does not know the URL or the model", "Check the URL"},
	"bad request":    {one(backendtest.Status(400, "", `{"error":"no"}`)), "refused the request", "Its answer says why"},
	"too large":      {one(backendtest.Status(413, "", ``)), "requests this large", "limit of the server"},
	"crash":          {one(backendtest.Status(500, "", `{"error":"x"}`)), "failed. (status 500", "server's log"},
	"bad gateway":    {one(backendtest.Status(502, "", `<html>`)), "failed. (status 502", "server's log"},
	"locked":         {one(backendtest.Status(423, "", ``)), "could not handle the request now", "Try again"},
	"redirect":       {one(backendtest.Status(307, "", ``)), "redirected", "Use the URL"},
	"disconnect":     {one(backendtest.CutOff(`{"text":"wel`)), "ended early", "closed the connection"},
	"no answer":      {one(backendtest.Silent(time.Hour)), "did not answer within", "longer --timeout"},
	"malformed":      {one(backendtest.Answer("application/json", `{"text": oops`)), "could not be parsed", "another protocol"},
	"another shape":  {one(backendtest.Answer("application/json", `[1]`)), "could not be parsed", "another protocol"},
	"a page of HTML": {one(backendtest.Answer("text/html", `<html>Welcome</html>`)), "could not be parsed", "not JSON: check the URL"},
}

// modelFaults are faults of servers of language models.
var modelFaults = map[string]brokenBackend{
	"nothing":      {one(backendtest.Answer("application/json", `{"choices":[{"message":{"content":""},"finish_reason":"stop"}]}`)), "(small) said nothing", "--llm-answer-tokens"},
	"cut off":      {[]backendtest.Fault{backendtest.Answer("application/json", chatReply), backendtest.Answer("application/json", chatReply)}, "was cut off", "--llm-answer-tokens"},
	"an error, OK": {one(backendtest.Answer("application/json", `{"error":{"message":"no"}}`)), "contains no answer", "look into its log"},
	"no choices":   {one(backendtest.Answer("application/json", `{}`)), "contains no answer", "check the URL"},
	"refusal":      {one(backendtest.Answer("application/json", `{"choices":[{"message":{"refusal":"No."},"finish_reason":"stop"}]}`)), "(small) declined", "another model"},
	"too long":     {one(backendtest.Status(400, "", `{"error":{"type":"exceed_context_size_error"}}`)), "does not fit", "--llm-context-tokens"},
}

func one(f backendtest.Fault) []backendtest.Fault { return []backendtest.Fault{f} }

// diagnose returns what doctor finds in the chosen backend.
func diagnose(t *testing.T, check string, c backends.Config) finding {
	t.Helper()
	c.Lookup = func(string) (string, bool) { return plantedKey, true }
	made, err := c.Open()
	require.NoError(t, err)
	d := doctor{timeout: 20 * time.Second}
	if strings.HasSuffix(t.Name(), "/no_answer") {
		d.timeout = 300 * time.Millisecond
	}
	for _, f := range d.checkBackends(t.Context(), made) {
		if f.Check == check {
			return f
		}
	}
	t.Fatalf("no check of %s", check)
	return finding{}
}

// requireAdvice checks a failed finding: what was found, what to do, and each name once.
func requireAdvice(t *testing.T, f finding, product string, want brokenBackend) {
	t.Helper()
	require.Equal(t, statusFailed, f.Status, "%+v", f)
	require.Contains(t, f.Found, want.found)
	require.Len(t, f.Hints, 1)
	require.Contains(t, f.Hints[0], want.hint)
	require.True(t, strings.HasSuffix(f.Hints[0], "."), "advice is a sentence: %s", f.Hints[0])
	require.LessOrEqual(t, strings.Count(f.Found, product), 1, "a name must not be doubled: %s", f.Found)
	require.NotContains(t, f.Found+f.Hints[0], "_tokens", "settings have the names of flags")
	require.NotContains(t, f.Found, plantedKey)
	require.Contains(t, f.Found, "http", "the address")
}

// withModel returns what is said if requests name a model.
func (b brokenBackend) withModel(name string) brokenBackend {
	if name == "no model" {
		b.found, b.hint = `The model "small" was not found.`, "that the server has it"
	}
	return b
}

// Whatever a backend does wrong, doctor says what happened, where, and what to do about it.
func TestDoctorAdvises(t *testing.T) {
	t.Parallel()
	for name, c := range sharedFaults {
		t.Run("whispercpp/"+name, func(t *testing.T) {
			t.Parallel()
			s := backendtest.NewWhisperCPP(t)
			s.Break(c.faults...)
			requireAdvice(t, diagnose(t, "transcriber", backends.Config{Transcriber: backends.Service{Kind: "whispercpp", URL: s.URL}}), "whisper.cpp", c)
		})
		t.Run("deepgram/"+name, func(t *testing.T) {
			t.Parallel()
			s := backendtest.NewDeepgram(t)
			s.Break(c.faults...)
			f, want := diagnose(t, "transcriber", backends.Config{Transcriber: backends.Service{Kind: "deepgram", URL: s.URL}}), c
			if name == "another shape" || name == "malformed" {
				want.hint = "" // its own
			}
			requireAdvice(t, f, "Deepgram", want)
		})
	}
	for _, faults := range []map[string]brokenBackend{sharedFaults, modelFaults} {
		for name, c := range faults {
			c = c.withModel(name)
			t.Run("openai/"+name, func(t *testing.T) {
				t.Parallel()
				s := backendtest.NewOpenAIChat(t, backendtest.ModelOptions{})
				s.Break(c.faults...)
				requireAdvice(t, diagnose(t, "llm", backends.Config{LLM: backends.Service{Kind: "openai", URL: s.URL, Model: "small"}}), "language model", c)
			})
		}
	}
	for name, c := range sharedFaults {
		c = c.withModel(name)
		t.Run("anthropic/"+name, func(t *testing.T) {
			t.Parallel()
			s := backendtest.NewAnthropic(t, backendtest.ModelOptions{})
			s.Break(c.faults...)
			requireAdvice(t, diagnose(t, "llm", backends.Config{LLM: backends.Service{Kind: "anthropic", URL: s.URL, Model: "small"}}), "Anthropic", c)
		})
	}
}

// A backend that isn't there is reported once, with its address and what to do.
func TestDoctorAdvisesWithoutServer(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(nil)
	gone.Close()
	plain := backendtest.NewWhisperCPP(t)
	for name, c := range map[string]struct{ url, found, hint string }{
		"nothing listens": {gone.URL, "whisper.cpp could not be reached. (", "start the server"},
		"no TLS":          {strings.Replace(plain.URL, "http:", "https:", 1), "whisper.cpp could not be reached. (", "certificate"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := diagnose(t, "transcriber", backends.Config{Transcriber: backends.Service{Kind: "whispercpp", URL: c.url}})
			requireAdvice(t, f, "whisper.cpp", brokenBackend{found: c.found, hint: c.hint})
			require.Contains(t, f.Found, "Its address is "+c.url+".")
		})
	}
}

// No failure is printed without advice, whatever its error says.
func TestDoctorPrintsAdvice(t *testing.T) {
	t.Parallel()
	for _, check := range []string{"ffmpeg", "renders", "disk", "backends", "transcriber", "llm", "database", "storage"} {
		f := failedCheck(check, errors.New("boom"), 0)
		var out bytes.Buffer
		diagnosis{Checks: []finding{f}}.print(&out)
		require.Regexp(t, `(?m)^failed   `+check+` .*\n +→ \S.*\.$`, out.String())
	}
}
