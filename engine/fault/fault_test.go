package fault_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// Every code is listed once. Codes and messages are found through wrapped errors, and the message of a foreign error reveals
// nothing.
func TestErrors(t *testing.T) {
	t.Parallel()
	seen := map[fault.Code]bool{}
	for _, c := range fault.Codes() {
		require.False(t, seen[c], c)
		seen[c] = true
	}
	cause := errors.New("/secret/path: broken")
	err := error(fault.Errorf(fault.CodeConflict, "Op", "It is %s.", "taken").WithHint("Wait.").Because(cause))
	require.EqualError(t, err, "Op: It is taken.: /secret/path: broken")
	require.ErrorIs(t, err, cause)
	wrapped := fmt.Errorf("outer: %w", err)
	require.Equal(t, fault.CodeConflict, fault.CodeOf(wrapped))
	require.Equal(t, "It is taken.", fault.Message(wrapped))
	require.Equal(t, fault.Code(""), fault.CodeOf(nil))
	require.Equal(t, fault.CodeInternal, fault.CodeOf(cause))
	require.NotContains(t, fault.Message(cause), "secret")
	require.Equal(t, fault.CodeCanceled, fault.CodeOf(context.Canceled))
	require.True(t, fault.Errorf(fault.CodeDownload, "", "x").Transient().Retryable)
}
