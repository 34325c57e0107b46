package writer_test

import (
	"testing"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/writer"
)

// The LLM passes the conformance suite.
func TestConformanceLLM(t *testing.T) {
	t.Parallel()
	enginetest.TestLLM(t, func(*testing.T) engine.LLM { return writer.LLM{} })
}
