package engine

import (
	"context"
	"sync"
	"time"
)

// lifetime knows the calls of Run, and ends them when the engine is closed.
type lifetime struct {
	open  context.Context // done after Close
	close context.CancelFunc
	warn  sync.Once

	mu   sync.Mutex
	ran  bool           // whether Run has ever been called
	runs sync.WaitGroup // calls of Run; mu is held to add one
}

func newLifetime() *lifetime {
	l := &lifetime{}
	l.open, l.close = context.WithCancel(context.Background())
	return l
}

// Close ends Run as the end of its context does, and waits until it has returned and every row says so. The store can then be closed.
// Methods that wait for work end with CodeUnavailable, and so does a later Run. Close is idempotent, and its error is always nil. A port
// that is called by a job must not call it.
func (e *Engine) Close() error {
	l := e.lifetime
	l.mu.Lock()
	l.close()
	l.mu.Unlock()
	l.runs.Wait()
	return nil
}

// enter begins a call of Run. It returns a context that Close ends, too, and a function that ends the call. CodeUnavailable after Close.
func (l *lifetime) enter(ctx context.Context) (context.Context, func(), error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open.Err() != nil {
		return nil, nil, errClosed("Run")
	}
	l.ran = true
	l.runs.Add(1)
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(l.open, cancel)
	return ctx, func() {
		stop()
		cancel()
		l.runs.Done()
	}, nil
}

func errClosed(op string) *Error { return Errorf(CodeUnavailable, op, "The engine is closed.") }

// forgotten reports whether Run has never been called.
func (l *lifetime) forgotten() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.ran
}

// warnAfter is how long a wait takes before the log says that Run has not been called.
const warnAfter = 5 * time.Second

const runHint = "Start Run in a goroutine first, unless another process runs it on the same store."

// warnIfForgotten logs once per engine that somebody waits although Run has not been called. The returned function ends the check.
func (e *Engine) warnIfForgotten() (stop func()) {
	l := e.lifetime
	if !l.forgotten() {
		return func() {}
	}
	timer := time.AfterFunc(warnAfter, func() {
		if l.forgotten() {
			l.warn.Do(func() { e.log.Warn("waiting for work, but Run has not been called", "hint", runHint) })
		}
	})
	return func() { timer.Stop() }
}

// waitError returns the error of a wait that has ended early. It says if Run has not been called.
func (e *Engine) waitError(err error) error {
	const op = "Wait"
	if e.lifetime.forgotten() && CodeOf(err) == CodeCanceled {
		return Errorf(CodeCanceled, op, "The wait ended, and Run has not been called.").WithHint(runHint).Because(err)
	}
	return wrap(op, err)
}
