package fault_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// Every code is listed once. Codes and messages are found through wrapped errors, and the message of a foreign error reveals
// nothing.
func TestErrors(t *testing.T) {
	t.Parallel()
	require.Len(t, fault.Codes(), 21)
	seen := map[fault.Code]bool{}
	for _, c := range fault.Codes() {
		require.False(t, seen[c], c)
		seen[c] = true
	}
	cause := errors.New("/secret/path: broken")
	err := error(fault.Errorf(fault.CodeConflict, "Op", "It is %s.", "taken").WithHint("Wait.").Because(cause))
	require.EqualError(t, err, "Op: It is taken: /secret/path: broken")
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

// Each With method returns a copy that differs in one field. The original stays.
func TestCopies(t *testing.T) {
	t.Parallel()
	cause := errors.New("cause")
	base := fault.Errorf(fault.CodeDownload, "Op", "Message %d.", 1)
	for _, c := range []struct{ got, want *fault.Error }{
		{base, &fault.Error{Code: fault.CodeDownload, Op: "Op", Msg: "Message 1."}},
		{base.WithHint("Hint."), &fault.Error{Code: fault.CodeDownload, Op: "Op", Msg: "Message 1.", Hint: "Hint."}},
		{base.WithRule("a.rule"), &fault.Error{Code: fault.CodeDownload, Op: "Op", Msg: "Message 1.", Rule: "a.rule"}},
		{base.Because(cause), &fault.Error{Code: fault.CodeDownload, Op: "Op", Msg: "Message 1.", Err: cause}},
		{base.Transient(), &fault.Error{Code: fault.CodeDownload, Op: "Op", Msg: "Message 1.", Retryable: true}},
		{base.After(time.Minute), &fault.Error{Code: fault.CodeDownload, Op: "Op", Msg: "Message 1.", Retryable: true, RetryAfter: time.Minute}},
		{fault.NotFound("Get", "recording"), &fault.Error{Code: fault.CodeNotFound, Op: "Get", Msg: "No recording with this id was found."}},
	} {
		require.Equal(t, c.want, c.got)
	}
}

// The text for the log has the operation, the message or else the code, and the cause.
func TestErrorText(t *testing.T) {
	t.Parallel()
	require.EqualError(t, &fault.Error{Code: fault.CodeInternal}, "internal")
	require.EqualError(t, &fault.Error{Code: fault.CodeInternal, Op: "Op", Err: errors.New("cause")}, "Op: internal: cause")
	require.EqualError(t, &fault.Error{Code: fault.CodeInternal, Msg: "Message."}, "Message.")
}

// An error without a message of its own gets one that reveals nothing. A canceled operation says so.
func TestMessage(t *testing.T) {
	t.Parallel()
	for _, err := range []error{context.Canceled, context.DeadlineExceeded, fmt.Errorf("a: %w", context.Canceled), &fault.Error{Code: fault.CodeCanceled}} {
		require.Equal(t, fault.CodeCanceled, fault.CodeOf(err))
		require.Equal(t, "The operation was canceled.", fault.Message(err))
	}
	require.Equal(t, "Something went wrong on our side.", fault.Message(&fault.Error{Code: fault.CodeInternal}))
	require.Equal(t, "Something went wrong on our side.", fault.Message(errors.New("secret")))
}
