package openai_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/llm"
	"github.com/soundstage-dev/soundstage/engine/openai"
)

const chatKey = "sk-secret-of-the-test"

// newLLM returns a Model that asks a server.
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

// A model behind chat completions keeps what the port of language models promises, suggestions among it.
func TestConformanceLLM(t *testing.T) {
	t.Parallel()
	s := backendtest.NewOpenAIChat(t, backendtest.ModelOptions{Key: chatKey})
	enginetest.TestLLM(t, func(t *testing.T) engine.LLM { return newLLM(t, s, nil) })
}

// A model behind chat completions keeps what the port of translators promises.
func TestConformanceTranslator(t *testing.T) {
	t.Parallel()
	s := backendtest.NewOpenAIChat(t, backendtest.ModelOptions{Key: chatKey})
	enginetest.TestTranslator(t, func(t *testing.T) engine.Translator { return newLLM(t, s, nil) })
}
