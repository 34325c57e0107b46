package enginetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// claim is one requirement on every implementation of a port.
type claim[P any] struct {
	says  string
	check func(t *testing.T, port P)
}

// runClaims runs every claim as a subtest, each on a new implementation from open.
func runClaims[P any](t *testing.T, open func(t *testing.T) P, claims []claim[P]) {
	t.Helper()
	for _, c := range claims {
		t.Run(c.says, func(t *testing.T) {
			t.Parallel()
			c.check(t, open(t))
		})
	}
}

// requireCanceled fails the test unless an operation returns CodeCanceled with a canceled context and with an expired one.
func requireCanceled(t *testing.T, operation func(ctx context.Context) error) {
	t.Helper()
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	for _, ctx := range []context.Context{canceled, late} {
		requireCode(t, engine.CodeCanceled, operation(ctx))
	}
}

// requireMessage fails the test unless err has a code other than CodeInternal and a message.
func requireMessage(t *testing.T, err error, about string) {
	t.Helper()
	require.NotEqual(t, engine.CodeInternal, engine.CodeOf(err), "%s: %v", about, err)
	require.NotEmpty(t, engine.Message(err), about)
}

// requireText fails the test unless a text is valid UTF-8 without control characters other than line feeds.
func requireText(t *testing.T, text, about string) {
	t.Helper()
	require.NoError(t, checkText(text), about)
}

// checkText is requireText as an error.
func checkText(text string) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("%q is not valid UTF-8", text)
	}
	for _, r := range text {
		if unicode.IsControl(r) && r != '\n' {
			return fmt.Errorf("%q contains the control character %U", text, r)
		}
	}
	return nil
}

// progressRecorder records calls to a progress function and whether they were valid.
type progressRecorder struct {
	mu    sync.Mutex
	calls int
	last  float64
	wrong error
}

func (g *progressRecorder) report(done float64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !(done >= 0 && done <= 1) || done < g.last {
		g.wrong = fmt.Errorf("progress %v after %v", done, g.last)
	}
	g.calls, g.last = g.calls+1, done
}

// require fails the test unless progress was reported, from 0 to 1 and never decreasing.
func (g *progressRecorder) require(t *testing.T) {
	t.Helper()
	g.mu.Lock()
	defer g.mu.Unlock()
	require.NoError(t, g.wrong)
	require.Positive(t, g.calls)
}

// retryable reports whether an error is marked as retryable.
func retryable(err error) bool {
	var e *engine.Error
	return errors.As(err, &e) && e.Retryable
}
