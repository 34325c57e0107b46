package emulator

import (
	"context"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// Scripted is a Transcriber that returns the same result for every file.
type Scripted struct {
	// Delay is how long each transcription takes on the sandbox's clock; default: as long as at the hosted service.
	Delay  time.Duration
	Result engine.Transcription
}

// Transcribe implements engine.Transcriber. It takes Delay on the wall clock, because it doesn't know a sandbox's. As
// Options.Transcriber, Scripted is not called with a Delay: the simulation of jobs knows the clock. The error is ctx's.
func (s Scripted) Transcribe(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
	timer := time.NewTimer(s.Delay)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return engine.Transcription{}, context.Cause(ctx)
	case <-timer.C:
	}
	if req.Progress != nil {
		req.Progress(1)
	}
	heard := s.Result
	heard.Words = slices.Clone(heard.Words)
	return heard, nil
}

// scripted returns Options.Transcriber if it is a Scripted.
func (o Options) scripted() (s Scripted, ok bool) {
	s, ok = o.Transcriber.(Scripted)
	return s, ok
}
