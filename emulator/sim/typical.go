package sim

import (
	"context"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

const (
	typicalShare = 4                // the hosted service takes about a quarter of the audio's length …
	typicalLeast = 2 * time.Second  // … at least this …
	typicalMost  = 15 * time.Minute // … and typically no more than this (service.md, What the service does)
)

// transcribe is the kind of job that takes as long as its media suggests.
const transcribe queue.Kind = "transcript.transcribe"

// typical is how long each kind of job waits and takes at the hosted service, except that transcription depends on the audio's length.
var typical = map[queue.Kind]Timing{
	"transcript.download": {Wait: time.Second, Take: time.Second},
	transcribe:            {Wait: time.Second, Take: typicalLeast},
	"import.download":     {Wait: time.Second, Take: 2 * time.Second},
	"output.generate":     {Wait: time.Second, Take: 3 * time.Second},
	"chat.answer":         {Wait: time.Second, Take: 2 * time.Second},
	"suggestions.make":    {Wait: time.Second, Take: 3 * time.Second},
	"render.render":       {Take: 5 * time.Second}, // it begins at once: it is never queued
	"speaker.summarize":   {Wait: time.Second, Take: 2 * time.Second},
}

// Typical makes jobs take as long as they typically do at the hosted service. Jobs of the Live classes take what they take.
type Typical struct{ Live []queue.Class }

var _ JobSimulator = Typical{}

// Timing implements JobSimulator.
func (p Typical) Timing(_ context.Context, tx engine.ReadTx, j queue.Job) (Timing, error) {
	if slices.Contains(p.Live, j.Class) {
		return Timing{}, nil
	}
	timing := typical[j.Kind]
	if j.Kind != transcribe {
		return timing, nil
	}
	t, err := tx.Transcript(engine.TranscriptID(j.Ref))
	if err != nil {
		return timing, err
	}
	if t.RecordingID == "" {
		timing.Wait = 0 // its download has waited
	}
	timing.Take = min(max(t.Duration/typicalShare, typicalLeast), typicalMost)
	return timing, nil
}
