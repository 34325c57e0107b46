package emulator

import (
	"context"
	"io"
	"runtime"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// limitedDiarizer limits concurrent diarizations across all worlds to one less than the number of processors, but at least one. It
// leaves a processor for requests.
type limitedDiarizer struct {
	diarize.Diarizer
	slots chan struct{}
}

var _ engine.WordAssigner = limitedDiarizer{}

func newLimitedDiarizer() limitedDiarizer {
	return limitedDiarizer{slots: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1))}
}

// Diarize implements engine.Diarizer. It waits for a slot or until ctx is done.
func (d limitedDiarizer) Diarize(ctx context.Context, pcm io.Reader, o transcript.DiarizeOptions) ([]transcript.Turn, error) {
	select {
	case d.slots <- struct{}{}:
		defer func() { <-d.slots }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	return d.Diarizer.Diarize(ctx, pcm, o)
}
