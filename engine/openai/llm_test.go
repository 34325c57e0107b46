package openai_test

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/llm"
	"github.com/soundstage-dev/soundstage/engine/openai"
)

const chatKey = "sk-secret-of-the-test"

// newLLM returns a Model that uses a test server.
func newLLM(t *testing.T, s *backendtest.OpenAIChat, change func(*openai.LLMConfig)) *llm.Model {
	t.Helper()
	c := openai.LLMConfig{URL: s.URL, Key: chatKey, Model: "test", ContextTokens: 32_000}
	if change != nil {
		change(&c)
	}
	m, err := openai.NewLLM(c)
	require.NoError(t, err)
	return m
}

// The Model fulfils the contracts of engine.LLM and engine.Suggester.
func TestConformanceLLM(t *testing.T) {
	t.Parallel()
	s := backendtest.NewOpenAIChat(t, backendtest.ModelOptions{Key: chatKey})
	enginetest.TestLLM(t, func(t *testing.T) engine.LLM { return newLLM(t, s, nil) })
}

// The Model fulfils the contract of engine.Translator.
func TestConformanceTranslator(t *testing.T) {
	t.Parallel()
	s := backendtest.NewOpenAIChat(t, backendtest.ModelOptions{Key: chatKey})
	enginetest.TestTranslator(t, func(t *testing.T) engine.Translator { return newLLM(t, s, nil) })
}

// chatSent returns the body of the n-th request to a server.
func chatSent(t *testing.T, s *backendtest.OpenAIChat, n int) map[string]any {
	t.Helper()
	require.Greater(t, len(s.Requests()), n)
	var body map[string]any
	require.NoError(t, json.Unmarshal(s.Requests()[n].Body, &body))
	return body
}

// A request contains only what was configured, because some servers refuse other fields.
func TestLLMRequest(t *testing.T) {
	t.Parallel()
	s := backendtest.NewOpenAIChat(t, backendtest.ModelOptions{Key: chatKey})
	m := newLLM(t, s, nil)
	_, err := m.Write(t.Context(), chatQuestion)
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"model", "messages", "max_tokens"}, slices.Collect(maps.Keys(chatSent(t, s, 0))))
	require.EqualValues(t, 4096, chatSent(t, s, 0)["max_tokens"])

	_, err = m.Translate(t.Context(), engine.TranslateRequest{From: "en", To: "de", Texts: []string{"Hello."}})
	require.NoError(t, err)
	require.Equal(t, map[string]any{"type": "json_object"}, chatSent(t, s, 1)["response_format"])

	cold := 0.0
	m = newLLM(t, s, func(c *openai.LLMConfig) { c.NoJSONMode, c.Temperature, c.AnswerTokens = true, &cold, 500 })
	_, err = m.Translate(t.Context(), engine.TranslateRequest{From: "en", To: "de", Texts: []string{"Hello."}})
	require.NoError(t, err)
	require.NotContains(t, chatSent(t, s, 2), "response_format")
	require.EqualValues(t, 0, chatSent(t, s, 2)["temperature"])
	require.EqualValues(t, 500, chatSent(t, s, 2)["max_tokens"])
}

// A server that wants max_completion_tokens gets it after the first refusal; api.openai.com gets it immediately.
func TestLLMMaxCompletionTokens(t *testing.T) {
	t.Parallel()
	s := backendtest.NewOpenAIChat(t, backendtest.ModelOptions{RefusesMaxTokens: true})
	m := newLLM(t, s, nil)
	for range 2 {
		_, err := m.Write(t.Context(), chatQuestion)
		require.NoError(t, err)
	}
	require.Len(t, s.Requests(), 3)
	require.Contains(t, chatSent(t, s, 0), "max_tokens")
	for n := 1; n < 3; n++ {
		require.Contains(t, chatSent(t, s, n), "max_completion_tokens")
		require.NotContains(t, chatSent(t, s, n), "max_tokens")
	}

	var body string
	m, err := openai.NewLLM(openai.LLMConfig{Model: "test", Key: chatKey, Transport: chatTransport(func(r *http.Request) (*http.Response, error) {
		b, err := io.ReadAll(r.Body)
		body = r.URL.String() + " " + string(b)
		return nil, errors.Join(err, errors.New("no network"))
	})})
	require.NoError(t, err)
	_, err = m.Write(t.Context(), chatQuestion)
	require.ErrorContains(t, err, "OpenAI could not be reached")
	require.Contains(t, body, "https://api.openai.com/v1/chat/completions ")
	require.Contains(t, body, `"max_completion_tokens":4096`)
}

type chatTransport func(*http.Request) (*http.Response, error)

func (f chatTransport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// All forms of responses are parsed: content in parts, reasoning next to or inside it, unknown fields, and invalid counts.
func TestLLMAnswers(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		chatChoice(`"message":{"role":"assistant","content":"It was Maria [1.1]."},"finish_reason":"stop"`),
		chatChoice(`"message":{"content":[{"type":"text","text":"It was "},{"type":"image_url"},{"type":"text","text":"Maria [1.1]."}]}`),
		chatChoice(`"message":{"content":"It was Maria [1.1].","reasoning_content":"Who?","reasoning":"Who?","tool_calls":null},"finish_reason":null,"logprobs":null`),
		chatChoice(`"message":{"content":"<think>Who?</think>\n\nIt was Maria [1.1].","refusal":""},"finish_reason":"eos"`),
		`{"choices":[{"message":{"content":"It was Maria [1.1]."}}]}`,
		`{"choices":[{"message":{"content":"It was Maria [1.1]."}}],"usage":null,"error":null}`,
		`{"choices":[{"message":{"content":"It was Maria [1.1]."},"error":{}}],"usage":null,"error":false}`,
		`{"choices":[{"message":{"content":"It was Maria [1.1]."}}],"usage":{"prompt_tokens":NaN,"completion_tokens":-1e300}}`,
		`{"choices":[{"message":{"content":"It was Maria [1.1]."}}],"usage":{"prompt_tokens":1e300}}`,
		"\xef\xbb\xbf" + `{"choices":[{"message":{"content":"It was Maria [1.1]."}},{"message":{"content":"Tom."}}]}`,
	} {
		s := backendtest.NewOpenAIChat(t, backendtest.ModelOptions{})
		s.Break(backendtest.Answer("text/plain", body))
		text, err := newLLM(t, s, nil).Write(t.Context(), chatQuestion)
		require.NoError(t, err, body)
		require.Equal(t, "It was Maria [1.1].", text, body)
	}
}

// A server that truncates prompts to its own context, as Ollama does, is detected.
func TestLLMCutsLikeOllama(t *testing.T) {
	t.Parallel()
	s := backendtest.NewOpenAIChat(t, backendtest.ModelOptions{Context: 4096})
	req := chatQuestion
	for range 300 {
		req.Passages = append(req.Passages, chatQuestion.Passages[0])
	}
	_, err := newLLM(t, s, nil).Write(t.Context(), req)
	require.ErrorContains(t, err, "truncated the request")
}

// NewLLM refuses an invalid config.
func TestNewLLM(t *testing.T) {
	t.Parallel()
	hot := 2.5
	for want, c := range map[string]openai.LLMConfig{
		"Model must not be empty":   {URL: "http://127.0.0.1:1"},
		"is not a valid server URL": {URL: "127.0.0.1:1", Model: "test"},
		"contains a password":       {URL: "http://a:b@127.0.0.1:1", Model: "test"},
		"line break":                {Key: "a\nb", Model: "test"},
		"Temperature":               {Model: "test", Temperature: &hot},
		"ContextTokens":             {Model: "test", ContextTokens: 100},
	} {
		_, err := openai.NewLLM(c)
		require.ErrorContains(t, err, want)
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err))
	}
}
