//go:build real

package deepgram_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/backendtest"
	"github.com/soundstage-dev/soundstage/engine/deepgram"
)

// The real service transcribes a conversation, and the next attempt makes no request.
func TestReal(t *testing.T) {
	t.Parallel()
	tr, err := deepgram.New(deepgram.Config{Key: backendtest.RealKey(t, "DEEPGRAM_API_KEY")})
	require.NoError(t, err)
	backendtest.HearConversation(t, tr, "../../testdata")
}
