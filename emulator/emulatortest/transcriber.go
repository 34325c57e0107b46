package emulatortest

import (
	"context"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// scripted is a Transcriber that takes a time and hears the same in everything.
type scripted struct {
	takes time.Duration
	heard engine.Transcription
}

// Transcribe implements engine.Transcriber.
func (s scripted) Transcribe(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
	timer := time.NewTimer(s.takes)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return engine.Transcription{}, context.Cause(ctx)
	case <-timer.C:
	}
	if req.Progress != nil {
		req.Progress(1)
	}
	heard := s.heard
	heard.Words = append([]engine.Word(nil), heard.Words...)
	return heard, nil
}
