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

// claim is one claim about every implementation of a port.
type claim[P any] struct {
	says  string
	check func(t *testing.T, port P)
}

// uphold runs every claim, each on what open has just made.
func uphold[P any](t *testing.T, open func(t *testing.T) P, claims []claim[P]) {
	t.Helper()
	for _, c := range claims {
		t.Run(c.says, func(t *testing.T) {
			t.Parallel()
			c.check(t, open(t))
		})
	}
}

// requireOver claims that an operation fails, with CodeCanceled, under a context that was canceled and under one that is past
// its deadline.
func requireOver(t *testing.T, operation func(ctx context.Context) error) {
	t.Helper()
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	for _, ctx := range []context.Context{canceled, late} {
		requireCode(t, engine.CodeCanceled, operation(ctx))
	}
}

// requireRefused claims that an error says what is wrong: it has a Code that isn't CodeInternal, and a sentence.
func requireRefused(t *testing.T, err error, about string) {
	t.Helper()
	require.NotEqual(t, engine.CodeInternal, engine.CodeOf(err), "%s: %v", about, err)
	require.NotEmpty(t, engine.Message(err), about)
}

// requireText claims that a text can be stored and shown: valid UTF-8 without control characters but line breaks.
func requireText(t *testing.T, text, about string) {
	t.Helper()
	require.NoError(t, checkText(text), about)
}

func checkText(text string) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("%q is no valid UTF-8", text)
	}
	for _, r := range text {
		if unicode.IsControl(r) && r != '\n' {
			return fmt.Errorf("%q has the control character %U", text, r)
		}
	}
	return nil
}

// gauge is a Progress that takes down whether it was told what it may be told.
type gauge struct {
	mu    sync.Mutex
	told  int
	last  float64
	wrong error
}

func (g *gauge) tell(done float64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !(done >= 0 && done <= 1) || done < g.last {
		g.wrong = fmt.Errorf("%v after %v", done, g.last)
	}
	g.told, g.last = g.told+1, done
}

// require claims that it was told something, from 0 to 1 and never less than before.
func (g *gauge) require(t *testing.T) {
	t.Helper()
	g.mu.Lock()
	defer g.mu.Unlock()
	require.NoError(t, g.wrong)
	require.Positive(t, g.told)
}

// retryable reports whether an error says that another try may do better.
func retryable(err error) bool {
	var e *engine.Error
	return errors.As(err, &e) && e.Retryable
}
