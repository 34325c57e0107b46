package emulator

import (
	"context"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// Scripted is a Transcriber that takes a time and hears the same in everything.
type Scripted struct {
	Takes time.Duration
	Heard engine.Transcription
}

// Transcribe implements engine.Transcriber. Errors: the context's.
func (s Scripted) Transcribe(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
	timer := time.NewTimer(s.Takes)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return engine.Transcription{}, context.Cause(ctx)
	case <-timer.C:
	}
	if req.Progress != nil {
		req.Progress(1)
	}
	heard := s.Heard
	heard.Words = slices.Clone(heard.Words)
	return heard, nil
}
