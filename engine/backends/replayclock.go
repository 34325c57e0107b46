package backends

import (
	"context"
	"io"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// replayClock is the wall clock with every timer limited to 1 ms, because recorded responses are available immediately.
type replayClock struct{}

// maxWait is not 0, so that a polling loop doesn't spin.
const maxWait = time.Millisecond

// Now implements engine.Clock.
func (replayClock) Now() time.Time { return time.Now() }

// NewTimer implements engine.Clock.
func (replayClock) NewTimer(d time.Duration) engine.Timer {
	return timer{time.NewTimer(min(d, maxWait))}
}

type timer struct{ *time.Timer }

// C implements engine.Timer.
func (t timer) C() <-chan time.Time { return t.Timer.C }

// noMedia is an engine.Media for checking a Config before media is available.
type noMedia struct{}

var errNoMedia = engine.Errorf(engine.CodeInternal, op, "No media is available yet.")

// Probe implements engine.Media.
func (noMedia) Probe(context.Context, engine.Source) (engine.MediaInfo, error) {
	return engine.MediaInfo{}, errNoMedia
}

// Decode implements engine.Media.
func (noMedia) Decode(context.Context, engine.Source) (io.ReadCloser, error) { return nil, errNoMedia }
