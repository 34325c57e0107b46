package anthropic_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/anthropic"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/llm"
)

const key = "sk-ant-secret-of-the-test"

// newModel returns a Model that uses a test server.
func newModel(t *testing.T, s *backendtest.Anthropic, change func(*anthropic.Config)) *llm.Model {
	t.Helper()
	c := anthropic.Config{URL: s.URL, Key: key, Model: "test"}
	if change != nil {
		change(&c)
	}
	m, err := anthropic.New(c)
	require.NoError(t, err)
	return m
}

// The Model fulfils the contracts of engine.LLM and engine.Suggester.
func TestConformanceLLM(t *testing.T) {
	t.Parallel()
	s := backendtest.NewAnthropic(t, backendtest.ModelOptions{Key: key})
	enginetest.TestLLM(t, func(t *testing.T) engine.LLM { return newModel(t, s, nil) })
}

// The Model fulfils the contract of engine.Translator.
func TestConformanceTranslator(t *testing.T) {
	t.Parallel()
	s := backendtest.NewAnthropic(t, backendtest.ModelOptions{Key: key})
	enginetest.TestTranslator(t, func(t *testing.T) engine.Translator { return newModel(t, s, nil) })
}

// Requests have the API's documented form, with the key and version in headers. Only the prompt asks for JSON.
func TestRequest(t *testing.T) {
	t.Parallel()
	s := backendtest.NewAnthropic(t, backendtest.ModelOptions{Key: key})
	m := newModel(t, s, nil)
	require.Equal(t, anthropic.DefaultContextTokens, m.ContextTokens())
	got, err := m.Translate(t.Context(), engine.TranslateRequest{From: "en", To: "de", Texts: []string{"Hello."}})
	require.NoError(t, err)
	require.Equal(t, []string{backendtest.Translated("Hello.")}, got)
	r := s.Requests()[0]
	require.Equal(t, "POST /v1/messages", r.Method+" "+r.Path)
	require.Equal(t, key, r.Header.Get("X-Api-Key"))
	require.Equal(t, "2023-06-01", r.Header.Get("Anthropic-Version"))
	var body map[string]any
	require.NoError(t, json.Unmarshal(r.Body, &body))
	require.ElementsMatch(t, []string{"model", "max_tokens", "system", "messages"}, slices.Collect(maps.Keys(body)))
	require.EqualValues(t, 4096, body["max_tokens"])
}

// An answer's text is that of its text blocks. An unknown stop_reason is a normal end.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for _, f := range []backendtest.Fault{
		message(`{"type":"text","text":"It was "},{"type":"text","text":"Maria [1.1]."}`, `"end_turn"`),
		message(`{"type":"thinking","thinking":"Who?"},{"type":"text","text":"It was Maria [1.1]."},{"type":"tool_use","input":{"text":"x"}}`, `"tool_use"`),
		message(`{"type":"text","text":"It was Maria [1.1]."}`, `"something_new"`),
		message(`{"type":"text","text":"It was Maria [1.1]."}`, `null`),
		backendtest.Answer("text/plain", `{"type":"message","content":[{"type":"text","text":"It was Maria [1.1]."}],"usage":{"input_tokens":NaN,"output_tokens":-1}}`),
	} {
		s := backendtest.NewAnthropic(t, backendtest.ModelOptions{})
		s.Break(f)
		text, err := newModel(t, s, nil).Write(t.Context(), question)
		require.NoError(t, err)
		require.Equal(t, "It was Maria [1.1].", text)
	}
}

// New refuses an invalid Config.
func TestNew(t *testing.T) {
	t.Parallel()
	hot := 1.5
	for want, c := range map[string]anthropic.Config{
		"Model must not be empty":   {Key: key},
		"needs a key":               {Model: "test"},
		"is not a valid server URL": {URL: "127.0.0.1:1", Model: "test"},
		"line break":                {Key: "a\nb", Model: "test"},
		"Temperature":               {Key: key, Model: "test", Temperature: &hot},
		"ContextTokens":             {Key: key, Model: "test", ContextTokens: 100},
	} {
		_, err := anthropic.New(c)
		require.ErrorContains(t, err, want)
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err))
	}
}
