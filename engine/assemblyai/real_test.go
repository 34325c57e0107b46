//go:build real

package assemblyai_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/assemblyai"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
)

// The real service transcribes a conversation, and the next attempt makes no new request.
func TestReal(t *testing.T) {
	t.Parallel()
	tr, err := assemblyai.New(assemblyai.Config{Key: backendtest.RealKey(t, "ASSEMBLYAI_API_KEY")})
	require.NoError(t, err)
	backendtest.HearConversation(t, tr, "../../testdata")
}
