package openai_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
	"github.com/soundstage-dev/soundstage/engine/openai"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// chatQuestion is a valid request.
var chatQuestion = engine.WriteRequest{Task: engine.TaskChat, Prompt: "Who repaired the lighthouse?", Language: "en", Passages: []transcript.Passage{{
	Label: "1.1", Title: "The lighthouse", Language: "en",
	Utterances: []transcript.Utterance{{Speaker: "Speaker 0", Text: "Maria repaired the old lighthouse.", End: 3 * time.Second}},
}}}

// chatChoice returns a response with one choice.
func chatChoice(rest string) string {
	return `{"choices":[{"index":0,` + rest + `}],"usage":{"prompt_tokens":400,"completion_tokens":20}}`
}

const chatError = `{"error":{"message":"no","type":"x","code":"y"}}`

// The error for each fault has a message, Retryable, and RetryAfter, and never contains the key.
func TestLLMFaults(t *testing.T) {
	t.Parallel()
	const mib = 1 << 20
	for _, c := range []struct {
		name      string
		faults    []backendtest.Fault
		says      string
		retryable bool
		after     time.Duration
	}{
		{"429", chatFaults(backendtest.Status(429, "7", chatError)), "too many requests", true, 7 * time.Second},
		{"500", chatFaults(backendtest.Status(500, "", chatError)), "failed", true, 0},
		{"503 with Retry-After", chatFaults(backendtest.Status(503, "2", "busy")), "failed", true, 2 * time.Second},
		{"529", chatFaults(backendtest.Status(529, "", chatError)), "failed", true, 0},
		{"slow", chatFaults(backendtest.Silent(time.Minute)), "did not answer in time", true, 0},
		{"cut off in mid-body", chatFaults(backendtest.CutOff(`{"choices":[{"message":{"content":"Mar`)), "ended early", true, 0},
		{"wrong content type", chatFaults(backendtest.Answer("text/html", "<html>Welcome</html>")), "could not be parsed", true, 0},
		{"wrong shape", chatFaults(backendtest.Answer("application/json", `{"choices":{"message":"Maria"}}`)), "could not be parsed", true, 0},
		{"content of an unknown form", chatFaults(backendtest.Answer("application/json", chatChoice(`"message":{"content":{"text":"Maria"}}`))), "could not be parsed", true, 0},
		{"no choices", chatFaults(backendtest.Answer("application/json", `{"choices":[]}`)), "contains no answer", true, 0},
		{"an error with status 200", chatFaults(backendtest.Answer("application/json", chatError)), "contains no answer", true, 0},
		{"an error with the key", chatFaults(backendtest.Answer("application/json", `{"error":"unknown key `+chatKey+`"}`)), "contains no answer", true, 0},
		{"half an answer and an error", chatFaults(backendtest.Answer("application/json", `{"error":{"message":"out of memory"},`+chatChoice(`"message":{"content":"Mar"},"finish_reason":"stop"`)[1:])), "reported an error", true, 0},
		{"half an answer that ends in an error", chatFaults(backendtest.Answer("application/json", chatChoice(`"message":{"content":"Mar"},"finish_reason":"error","error":{"code":502,"message":"Provider disconnected"}`))), "Provider disconnected", true, 0},
		{"an empty object", chatFaults(backendtest.Answer("application/json", `{}`)), "contains no answer", true, 0},
		{"empty", chatFaults(backendtest.Answer("application/json", chatChoice(`"message":{"content":""},"finish_reason":"stop"`))), "empty answer", true, 0},
		{"null", chatFaults(backendtest.Answer("application/json", chatChoice(`"message":{"content":null},"finish_reason":"tool_calls"`))), "empty answer", true, 0},
		{"1 MiB of garbage", chatFaults(backendtest.Garbage(mib)), "could not be parsed", true, 0},
		{"more than 64 MiB of garbage", chatFaults(backendtest.Garbage(65 * mib)), "longer than 64 MiB", false, 0},
		{"cut context", chatFaults(backendtest.Answer("application/json", `{"choices":[{"message":{"content":"Maria."}}],"usage":{"prompt_tokens":2048}}`)), "truncated the request", false, 0},
		{"length twice", chatFaults(
			backendtest.Answer("application/json", chatChoice(`"message":{"content":"Mar"},"finish_reason":"length"`)),
			backendtest.Answer("application/json", chatChoice(`"message":{"content":"Mar"},"finish_reason":"length"`)),
		), "was cut off", false, 0},
		{"refusal", chatFaults(backendtest.Answer("application/json", chatChoice(`"message":{"content":null,"refusal":"I can't."},"finish_reason":"stop"`))), "declined", false, 0},
		{"content filter", chatFaults(backendtest.Answer("application/json", chatChoice(`"message":{"content":"Mar"},"finish_reason":"content_filter"`))), "declined", false, 0},
		{"401", chatFaults(backendtest.Status(401, "", chatError)), "did not accept the key", false, 0},
		{"404 of Ollama for the model", chatFaults(backendtest.Status(404, "", `{"error":{"message":"model 'm' not found","type":"api_error","param":null,"code":null}}`)), "was not found", false, 0},
		{"404 of Ollama for the URL", chatFaults(backendtest.Status(404, "", "404 page not found")), "does not know the URL or the model", false, 0},
		{"400", chatFaults(backendtest.Status(400, "", chatError)), "refused the request", false, 0},
		{"400 for its length", chatFaults(backendtest.Status(400, "", `{"error":{"code":"context_length_exceeded","message":"This model's maximum context length is 4096 tokens."}}`)), "does not fit in the language model's context", false, 0},
		{"400 of llama.cpp for its length", chatFaults(backendtest.Status(400, "", `{"error":{"code":400,"message":"request (4390 tokens) exceeds the available context size (4096 tokens), try increasing it","type":"exceed_context_size_error"}}`)), "does not fit in the language model's context", false, 0},
		{"500 for its length", chatFaults(backendtest.Status(500, "", `{"error":{"code":500,"message":"x","type":"exceed_context_size_error"}}`)), "does not fit in the language model's context", false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := backendtest.NewOpenAIChat(t, backendtest.ModelOptions{Key: chatKey})
			s.Break(c.faults...)
			m := newLLM(t, s, func(c *openai.LLMConfig) {
				if strings.HasPrefix(t.Name(), "TestLLMFaults/slow") {
					c.Timeout = 2 * time.Second
				}
			})
			req := chatQuestion
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
			require.NotContains(t, err.Error()+e.Hint, chatKey)
			require.Len(t, s.Requests(), len(c.faults))

			if strings.HasPrefix(c.name, "slow") {
				m = newLLM(t, s, func(*openai.LLMConfig) {}) // with the default timeout
			}
			text, err := m.Write(t.Context(), chatQuestion)
			require.NoError(t, err, "the server works again")
			require.Equal(t, "Maria repaired the old lighthouse. [1.1]", text)
		})
	}
}

func chatFaults(f ...backendtest.Fault) []backendtest.Fault { return f }

// The error for an unreachable server is retryable.
func TestLLMUnreachable(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	m, err := openai.NewLLM(openai.LLMConfig{URL: gone.URL, Model: "test"})
	require.NoError(t, err)
	_, err = m.Write(t.Context(), chatQuestion)
	var e *engine.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, engine.CodeUnavailable, e.Code)
	require.True(t, e.Retryable)
	require.Contains(t, e.Hint, "start the server")
}
