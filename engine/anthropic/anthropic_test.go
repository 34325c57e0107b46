package anthropic_test

import (
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
