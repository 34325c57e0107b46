//go:build real

package anthropic_test

import (
	"cmp"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/anthropic"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
)

// A real Anthropic model answers, translates, and suggests. ANTHROPIC_MODEL selects another model.
func TestReal(t *testing.T) {
	t.Parallel()
	m, err := anthropic.New(anthropic.Config{
		Key: backendtest.RealKey(t, "ANTHROPIC_API_KEY"), Model: cmp.Or(os.Getenv("ANTHROPIC_MODEL"), "claude-haiku-4-5"),
	})
	require.NoError(t, err)
	backendtest.AskModel(t, m)
}
