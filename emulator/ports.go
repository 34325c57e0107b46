package emulator

import (
	"context"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/writer"
)

// NewTranscriber makes a Transcriber that hears by the sandbox's own media.
type NewTranscriber func(engine.Media) (engine.Transcriber, error)

// transcriber is the Transcriber of a world, which hears by media and diarizer.
func (o Options) transcriber(media engine.Media, diarizer engine.Diarizer) engine.Transcriber {
	switch {
	case o.Transcriber != nil && o.DiarizeAll:
		return unlabeled{o.Transcriber}
	case o.Transcriber != nil:
		return o.Transcriber
	}
	return &fake.Transcriber{Media: media, Diarizer: diarizer, Seed: o.Seed}
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
