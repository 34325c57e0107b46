package emulator

import (
	"context"
	"io"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/engine/writer"
)

// NewTranscriber makes a Transcriber that hears by the sandbox's own media.
type NewTranscriber func(engine.Media) (engine.Transcriber, error)

// transcriber is the Transcriber of a world, which hears by media and diarizer.
func (o Options) transcriber(media engine.Media, diarizer limitedDiarizer) engine.Transcriber {
	switch {
	case o.Transcriber == nil:
		return unlabeled{&fake.Transcriber{Media: media, Diarizer: expected{diarizer}, Seed: o.Seed}}
	case o.DiarizeAll:
		return unlabeled{o.Transcriber}
	}
	return o.Transcriber
}

// diarizer is the Diarizer of a world. Invented words begin with a speaker's turn, so what invents them has listened for turns
// already; who says them is still found out by the diarization step, as for the words of a transcriber that tells no speakers.
func (o Options) diarizer(d limitedDiarizer) engine.Diarizer {
	if o.Transcriber == nil {
		return expected{d}
	}
	return d
}

// expected is a Diarizer that never finds more speakers than are expected: those beyond are taken for one of the others.
type expected struct{ limitedDiarizer }

// Diarize implements engine.Diarizer.
func (d expected) Diarize(ctx context.Context, pcm io.Reader, o transcript.DiarizeOptions) ([]transcript.Turn, error) {
	turns, err := d.limitedDiarizer.Diarize(ctx, pcm, o)
	for i := range turns {
		if o.Speakers > 0 {
			turns[i].Speaker %= o.Speakers
		}
	}
	return turns, err
}

// unlabeled is a Transcriber that doesn't tell speakers. It is not the engine that leaves them out, because those of a fixture stay.
type unlabeled struct{ engine.Transcriber }

// Transcribe implements engine.Transcriber.
func (u unlabeled) Transcribe(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
	heard, err := u.Transcriber.Transcribe(ctx, req)
	for i := range heard.Words {
		heard.Words[i].Speaker = ""
	}
	return heard, err
}

// llm is the LLM of every world.
func (o Options) llm() engine.LLM {
	if o.LLM != nil {
		return o.LLM
	}
	return writer.LLM{}
}

// translator is the Translator of every world.
func (o Options) translator() engine.Translator {
	if o.Translator != nil {
		return o.Translator
	}
	return fake.Translator{}
}
