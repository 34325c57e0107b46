package backends

import (
	"context"
	"io"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// hurried is the wall's clock, on which no wait takes longer than a moment: recorded answers are there already.
type hurried struct{}

// moment keeps a wait that is never over from keeping a processor busy.
const moment = time.Millisecond

// Now implements engine.Clock.
func (hurried) Now() time.Time { return time.Now() }

// NewTimer implements engine.Clock.
func (hurried) NewTimer(d time.Duration) engine.Timer { return timer{time.NewTimer(min(d, moment))} }

type timer struct{ *time.Timer }

// C implements engine.Timer.
func (t timer) C() <-chan time.Time { return t.Timer.C }

// nowhere is media that nobody has asked for yet.
type nowhere struct{}

var errNowhere = engine.Errorf(engine.CodeInternal, op, "There is no media yet.")

// Probe implements engine.Media.
func (nowhere) Probe(context.Context, engine.Source) (engine.MediaInfo, error) {
	return engine.MediaInfo{}, errNowhere
}

// Decode implements engine.Media.
func (nowhere) Decode(context.Context, engine.Source) (io.ReadCloser, error) { return nil, errNowhere }
