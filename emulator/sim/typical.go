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

// typical is how long each kind of job waits and takes at the hosted service. engine.JobTranscribe has its minimum here.
var typical = map[queue.Kind]Timing{
	engine.JobDownload:         {Wait: time.Second, Duration: time.Second},
	engine.JobTranscribe:       {Wait: time.Second, Duration: typicalLeast},
	engine.JobDiarize:          {AtOnce: true}, // part of the transcription
	engine.JobImport:           {Wait: time.Second, Duration: 2 * time.Second},
	engine.JobGenerate:         {Wait: time.Second, Duration: 3 * time.Second},
	engine.JobChat:             {Wait: time.Second, Duration: 2 * time.Second},
	engine.JobSuggest:          {Wait: time.Second, Duration: 3 * time.Second},
	engine.JobRender:           {Duration: 5 * time.Second}, // a render starts immediately: it is never queued
	engine.JobSpeakerSummarize: {Wait: time.Second, Duration: 2 * time.Second},
}

// Typical makes jobs take as long as they typically do at the hosted service.
type Typical struct {
	Live []queue.Class // classes of jobs that are not simulated
	// Transcription is how long each transcription takes, also one in Live; default: a quarter of its media, from 2 s to 15 min.
	Transcription time.Duration
}

var _ JobSimulator = Typical{}

// Timing implements JobSimulator.
func (p Typical) Timing(_ context.Context, tx engine.ReadTx, j queue.Job) (Timing, error) {
	timing := typical[j.Kind]
	scripted := j.Kind == engine.JobTranscribe && p.Transcription > 0
	switch {
	case slices.Contains(p.Live, j.Class) && scripted:
		return Timing{Duration: p.Transcription, AtOnce: true}, nil
	case slices.Contains(p.Live, j.Class):
		return Timing{AtOnce: true}, nil
	case j.Kind != engine.JobTranscribe:
		return timing, nil
	}
	t, err := tx.Transcript(engine.TranscriptID(j.Ref))
	if err != nil {
		return timing, err
	}
	if t.RecordingID == "" {
		timing.Wait, timing.AtOnce = 0, true // its download has already waited
	}
	if timing.Duration = p.Transcription; !scripted {
		timing.Duration = min(max(t.Duration/typicalShare, typicalLeast), typicalMost)
	}
	return timing, nil
}
