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
	typicalMost  = 15 * time.Minute // … and typically at most this (specification, "What the service does")
)

// transcribe is the kind of job whose duration depends on its media.
const transcribe queue.Kind = "transcript.transcribe"

// typical is how long each kind of job waits and takes at the hosted service. transcribe has its minimum here.
var typical = map[queue.Kind]Timing{
	"transcript.download": {Wait: time.Second, Duration: time.Second},
	transcribe:            {Wait: time.Second, Duration: typicalLeast},
	"import.download":     {Wait: time.Second, Duration: 2 * time.Second},
	"output.generate":     {Wait: time.Second, Duration: 3 * time.Second},
	"chat.answer":         {Wait: time.Second, Duration: 2 * time.Second},
	"suggestions.make":    {Wait: time.Second, Duration: 3 * time.Second},
	"render.render":       {Duration: 5 * time.Second}, // a render starts immediately: it is never queued
	"speaker.summarize":   {Wait: time.Second, Duration: 2 * time.Second},
}

// Typical makes jobs take as long as they typically do at the hosted service. Jobs of the Live classes are not simulated.
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
		timing.Wait = 0 // its download has already waited
	}
	timing.Duration = min(max(t.Duration/typicalShare, typicalLeast), typicalMost)
	return timing, nil
}
