package fake

import (
	"context"
	"io"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Diarizer assigns speakers by a simple rule, without analysing voices: after each pause of more than 700 ms, the next speaker talks. It
// alternates between the expected number of speakers, or between two if none is given. A Transcriber without a Diarizer uses the same
// rule.
type Diarizer struct{}

var _ engine.Diarizer = Diarizer{}

// Diarize returns a turn for each part of the speech between long pauses. It returns the errors of ctx and of pcm.
func (Diarizer) Diarize(ctx context.Context, pcm io.Reader, o transcript.DiarizeOptions) ([]transcript.Turn, error) {
	spans, err := detectSpeech(ctx, pcm, nil)
	if err != nil {
		return nil, err
	}
	var turns []transcript.Turn
	for _, t := range alternate(spans, o.Speakers) {
		turns = append(turns, transcript.Turn{Start: millis(t.start()), End: millis(t.end()), Speaker: t.speaker, Confidence: 1})
	}
	if o.Progress != nil {
		o.Progress(1)
	}
	return turns, nil
}

// millis converts milliseconds to a Duration.
func millis(ms int) time.Duration { return time.Duration(ms) * time.Millisecond }
