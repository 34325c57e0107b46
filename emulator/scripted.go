package emulator

import (
	"context"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// Scripted is a Transcriber that returns the same result for every file after a delay.
type Scripted struct {
	Delay  time.Duration
	Result engine.Transcription
}

// Transcribe implements engine.Transcriber. The error is ctx's.
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

// deadline returns the Deadline of the engine. The delay of a Scripted transcriber comes on top of the default.
func (o Options) deadline() func(length time.Duration) time.Duration {
	s, ok := o.Transcriber.(Scripted)
	if !ok || o.Deadline != nil {
		return o.Deadline
	}
	return func(length time.Duration) time.Duration { return engine.DefaultDeadline(length) + s.Delay }
}
