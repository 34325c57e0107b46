package emulator

import (
	"context"
	"io"
	"runtime"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// limitedDiarizer is a Diarizer that leaves a processor to requests: of all its calls, whichever world they are for, at most one fewer than
// there are processors compute at once, and at least one.
type limitedDiarizer struct {
	diarize.Diarizer
	slots chan struct{}
}

var _ engine.WordAssigner = limitedDiarizer{}

func newLimitedDiarizer() limitedDiarizer {
	return limitedDiarizer{slots: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1))}
}

// Diarize implements engine.Diarizer. It waits for a slot first; ctx ends the wait.
func (d limitedDiarizer) Diarize(ctx context.Context, pcm io.Reader, o transcript.DiarizeOptions) ([]transcript.Turn, error) {
	select {
	case d.slots <- struct{}{}:
		defer func() { <-d.slots }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	return d.Diarizer.Diarize(ctx, pcm, o)
}
