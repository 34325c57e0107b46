package anthropic_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/anthropic"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// question is a valid request.
var question = engine.WriteRequest{Task: engine.TaskChat, Prompt: "Who repaired the lighthouse?", Language: "en", Passages: []transcript.Passage{{
	Label: "1.1", Title: "The lighthouse", Language: "en",
	Utterances: []transcript.Utterance{{Speaker: "Speaker 0", Text: "Maria repaired the old lighthouse.", End: 3 * time.Second}},
}}}

// message returns a response with these blocks and stop_reason.
func message(blocks, stop string) backendtest.Fault {
	return backendtest.Answer("application/json",
		`{"type":"message","role":"assistant","content":[`+blocks+`],"stop_reason":`+stop+`,"usage":{"input_tokens":400,"output_tokens":20}}`)
}

// problem returns an error in the API's form.
func problem(kind, text string) string {
	return `{"type":"error","error":{"type":"` + kind + `","message":"` + text + `"},"request_id":"req_1"}`
}

const cutShort = `{"type":"text","text":"Mar"}`

// The error for each fault has a message, Retryable, and RetryAfter, and never contains the key.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		faults    []backendtest.Fault
		says      string
		retryable bool
		after     time.Duration
	}{
		{"429", broken(backendtest.Status(429, "30", problem("rate_limit_error", "slow down"))), "too many requests", true, 30 * time.Second},
		{"500", broken(backendtest.Status(500, "", problem("api_error", "x"))), "failed", true, 0},
		{"529", broken(backendtest.Status(529, "", problem("overloaded_error", "Overloaded"))), "failed", true, 0},
		{"529 with Retry-After", broken(backendtest.Status(529, "5", problem("overloaded_error", "Overloaded"))), "failed", true, 5 * time.Second},
		{"slow", broken(backendtest.Silent(time.Minute)), "did not answer in time", true, 0},
		{"cut off in mid-body", broken(backendtest.CutOff(`{"type":"message","content":[{"type":"text","text":"Mar`)), "ended early", true, 0},
		{"wrong content type", broken(backendtest.Answer("text/html", "<html>Welcome</html>")), "could not be parsed", true, 0},
		{"an error with status 200", broken(backendtest.Answer("application/json", problem("api_error", "x"))), "contains no answer", true, 0},
		{"an empty object", broken(backendtest.Answer("application/json", `{}`)), "contains no answer", true, 0},
		{"no blocks", broken(message("", `"end_turn"`)), "empty answer", true, 0},
		{"thoughts only", broken(message(`{"type":"thinking","thinking":"Who?"}`, `"end_turn"`)), "empty answer", true, 0},
		{"1 MiB of garbage", broken(backendtest.Garbage(1 << 20)), "could not be parsed", true, 0},
		{"more than 64 MiB of garbage", broken(backendtest.Garbage(65 << 20)), "longer than 64 MiB", false, 0},
		{"cut context", broken(message(cutShort, `"end_turn"`)), "truncated the request", false, 0},
		{"max_tokens twice", broken(message(cutShort, `"max_tokens"`), message(cutShort, `"max_tokens"`)), "was cut off", false, 0},
		{"the context's end twice", broken(message(cutShort, `"model_context_window_exceeded"`), message("", `"max_tokens"`)), "was cut off", false, 0},
		{"refusal", broken(message(cutShort, `"refusal"`)), "declined", false, 0},
		{"refusal without a text", broken(message("", `"refusal"`)), "declined", false, 0},
		{"401", broken(backendtest.Status(401, "", problem("authentication_error", "invalid x-api-key"))), "did not accept the key", false, 0},
		{"404", broken(backendtest.Status(404, "", problem("not_found_error", "model: test"))), "was not found", false, 0},
		{"413", broken(backendtest.Status(413, "", problem("request_too_large", "x"))), "does not accept requests this large", false, 0},
		{"400", broken(backendtest.Status(400, "", problem("invalid_request_error", "x"))), "refused the request", false, 0},
		{"400 for its length", broken(backendtest.Status(400, "", problem("invalid_request_error", "prompt is too long: 200001 tokens > 200000 maximum"))), "does not fit in the language model's context", false, 0},
		{"400 for the balance", broken(backendtest.Status(400, "", problem("invalid_request_error", "Your credit balance is too low"))), "refused the request", false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := backendtest.NewAnthropic(t, backendtest.ModelOptions{Key: key})
			s.Break(c.faults...)
			m := newModel(t, s, func(a *anthropic.Config) {
				if c.name == "slow" {
					a.Timeout = 2 * time.Second
				}
			})
			req := question
			if c.name == "cut context" {
				req.Context = strings.Repeat("All that is known of lighthouses. ", 500)
			}
			_, err := m.Write(t.Context(), req)
			require.ErrorContains(t, err, c.says)
			var e *engine.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, engine.CodeUnavailable, e.Code)
			require.Equal(t, c.retryable, e.Retryable)
			require.Equal(t, c.after, e.RetryAfter)
			require.NotContains(t, err.Error()+e.Hint, key)
			require.Len(t, s.Requests(), len(c.faults))

			if c.name == "slow" {
				m = newModel(t, s, func(*anthropic.Config) {}) // with the default timeout
			}
			text, err := m.Write(t.Context(), question)
			require.NoError(t, err, "the service works again")
			require.Equal(t, "Maria repaired the old lighthouse. [1.1]", text)
		})
	}
}

func broken(f ...backendtest.Fault) []backendtest.Fault { return f }
