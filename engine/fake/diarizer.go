package fake

import (
	"context"
	"io"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Diarizer tells speakers apart by a rule, without listening to their voices: after each pause of more than 700 ms the
// next of the expected speakers has the word; of two, when nothing is known. It is the rule that a Transcriber without
// a Diarizer goes by.
type Diarizer struct{}

var _ engine.Diarizer = Diarizer{}

// Diarize returns a turn for each stretch of speech between long pauses. Errors are those of ctx and of pcm.
func (Diarizer) Diarize(ctx context.Context, pcm io.Reader, o transcript.DiarizeOptions) ([]transcript.Turn, error) {
	spans, err := hear(ctx, pcm, nil)
	if err != nil {
		return nil, err
	}
	var turns []transcript.Turn
	for _, t := range rotate(spans, o.Speakers) {
		turns = append(turns, transcript.Turn{Start: millis(t.start()), End: millis(t.end()), Speaker: t.speaker, Confidence: 1})
	}
	if o.Progress != nil {
		o.Progress(1)
	}
	return turns, nil
}

// millis converts milliseconds to a Duration.
func millis(ms int) time.Duration { return time.Duration(ms) * time.Millisecond }
