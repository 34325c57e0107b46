package emulator

import (
	"context"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

const (
	paceShare = 4                // the hosted service takes about a quarter of the audio's length …
	paceLeast = 2 * time.Second  // … at least this …
	paceMost  = 15 * time.Minute // … and typically no more than this (service.md, What the service does)
)

// typical is how long each kind of job waits and takes at the hosted service, but for transcription, which goes by the audio's length.
var typical = map[engine.JobKind]engine.Timing{
	"transcript.download":   {Wait: time.Second, Take: time.Second},
	"transcript.transcribe": {Wait: time.Second, Take: paceLeast},
	"import.download":       {Wait: time.Second, Take: 2 * time.Second},
	"output.generate":       {Wait: time.Second, Take: 3 * time.Second},
	"chat.answer":           {Wait: time.Second, Take: 2 * time.Second},
	"suggestions.make":      {Wait: time.Second, Take: 3 * time.Second},
	"render.render":         {Take: 5 * time.Second}, // it begins at once: it is never queued
	"speaker.summarize":     {Wait: time.Second, Take: 2 * time.Second},
}

// pace makes jobs take as long as they typically do at the hosted service, but for those of some classes, which take what they take.
type pace struct{ live []engine.JobClass }

// Timing is how a job typically goes.
func (p pace) Timing(_ context.Context, tx engine.ReadTx, j engine.Job) (engine.Timing, error) {
	if slices.Contains(p.live, j.Class) {
		return engine.Timing{}, nil
	}
	timing := typical[j.Kind]
	if j.Kind != "transcript.transcribe" {
		return timing, nil
	}
	t, err := tx.Transcript(engine.TranscriptID(j.Ref))
	if err != nil {
		return timing, err
	}
	if t.RecordingID == "" {
		timing.Wait = 0 // its download has waited
	}
	timing.Take = min(max(t.Duration/paceShare, paceLeast), paceMost)
	return timing, nil
}
