package emulator

import (
	"context"
	"io"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/engine/writer"
)

// NewTranscriber creates a Transcriber that decodes with the sandbox's media.
type NewTranscriber func(engine.Media) (engine.Transcriber, error)

// transcriber returns a world's Transcriber.
func (o Options) transcriber(media engine.Media, diarizer limitedDiarizer) engine.Transcriber {
	if s, ok := o.scripted(); ok {
		o.Transcriber = Scripted{Result: s.Result} // the simulation adds its Delay
	}
	switch {
	case o.Transcriber == nil:
		return unlabeled{Transcriber: &fake.Transcriber{Media: media, Diarizer: cappedDiarizer{diarizer}, Seed: o.Seed}, turns: true}
	case o.DiarizeAll:
		return unlabeled{Transcriber: o.Transcriber}
	}
	return o.Transcriber
}

// diarizer returns a world's Diarizer. The deterministic transcriber has already run it, to begin sentences where a speaker begins; the
// engine labels its words from those turns. The Diarizer itself runs for fixtures and transcribers that have words without speakers.
func (o Options) diarizer(d limitedDiarizer) engine.Diarizer {
	if o.Transcriber == nil {
		return cappedDiarizer{d}
	}
	return d
}

// cappedDiarizer is a Diarizer that never finds more speakers than expected. It merges the surplus speakers with others.
type cappedDiarizer struct{ limitedDiarizer }

// Diarize implements engine.Diarizer.
func (d cappedDiarizer) Diarize(ctx context.Context, pcm io.Reader, o transcript.DiarizeOptions) ([]transcript.Turn, error) {
	turns, err := d.limitedDiarizer.Diarize(ctx, pcm, o)
	for i := range turns {
		if o.Speakers > 0 {
			turns[i].Speaker %= o.Speakers
		}
	}
	return turns, err
}

// unlabeled is a Transcriber whose words have no speakers, so that the diarization step labels them. The engine's own DiarizeAll would
// remove the speakers of fixtures, too.
type unlabeled struct {
	engine.Transcriber
	turns bool // whether the turns that it found are kept
}

// Transcribe implements engine.Transcriber.
func (u unlabeled) Transcribe(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
	heard, err := u.Transcriber.Transcribe(ctx, req)
	for i := range heard.Words {
		heard.Words[i].Speaker = ""
	}
	if !u.turns {
		heard.Turns = nil
	}
	return heard, err
}

// llm returns the LLM of every world.
func (o Options) llm() engine.LLM {
	if o.LLM != nil {
		return o.LLM
	}
	return writer.LLM{}
}

// translator returns the Translator of every world.
func (o Options) translator() engine.Translator {
	if o.Translator != nil {
		return o.Translator
	}
	return fake.Translator{}
}
