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

// newModel returns a Model that asks a server.
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

// A model behind the Messages API keeps what the port of language models promises, suggestions among it.
func TestConformanceLLM(t *testing.T) {
	t.Parallel()
	s := backendtest.NewAnthropic(t, backendtest.ModelOptions{Key: key})
	enginetest.TestLLM(t, func(t *testing.T) engine.LLM { return newModel(t, s, nil) })
}

// A model behind the Messages API keeps what the port of translators promises.
func TestConformanceTranslator(t *testing.T) {
	t.Parallel()
	s := backendtest.NewAnthropic(t, backendtest.ModelOptions{Key: key})
	enginetest.TestTranslator(t, func(t *testing.T) engine.Translator { return newModel(t, s, nil) })
}

// What is sent is what the API documents, with the key and the version in their headers; JSON is asked for in the prompt alone.
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

// The text of an answer is that of its blocks of text, whatever else it has; a reason to end that isn't known is an end.
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

// A Config that can't work is refused with a sentence.
func TestNew(t *testing.T) {
	t.Parallel()
	hot := 1.5
	for want, c := range map[string]anthropic.Config{
		"has no name":                 {Key: key},
		"wants a key":                 {Model: "test"},
		"not the address of a server": {URL: "127.0.0.1:1", Model: "test"},
		"line break":                  {Key: "a\nb", Model: "test"},
		"temperature":                 {Key: key, Model: "test", Temperature: &hot},
		"context_tokens":              {Key: key, Model: "test", ContextTokens: 100},
	} {
		_, err := anthropic.New(c)
		require.ErrorContains(t, err, want)
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err))
	}
}
