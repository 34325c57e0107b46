package main

import (
	"context"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
)

// attentive is a transcriber that remembers why it failed: a transcript keeps the sentence only, not what to do.
type attentive struct {
	engine.Transcriber
	mu   sync.Mutex
	last error
}

// Transcribe implements engine.Transcriber.
func (a *attentive) Transcribe(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
	heard, err := a.Transcriber.Transcribe(ctx, req)
	a.mu.Lock()
	a.last = err
	a.mu.Unlock()
	return heard, err
}

// explained is the failure behind an error that says the same, else the error.
func (a *attentive) explained(err error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.last != nil && engine.Message(a.last) == engine.Message(err) {
		return a.last
	}
	return err
}

// transcriber is the one that is wanted, and how often it is tried: of a real one a few times, in the seconds that somebody waits.
func (o transcribeFlags) transcriber(media engine.Media) (*attentive, engine.RetryPolicy, error) {
	if o.backends.NewTranscriber == nil {
		invents := &fake.Transcriber{Media: media, Diarizer: diarize.Diarizer{}, Seed: o.seed}
		return &attentive{Transcriber: invents}, engine.RetryPolicy{Base: 500 * time.Millisecond, Max: 3}, nil
	}
	hears, err := o.backends.NewTranscriber(media)
	return &attentive{Transcriber: hears}, engine.RetryPolicy{Base: time.Second, Max: 4}, err
}
