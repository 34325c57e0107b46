package enginetest_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// faultyTranscriber changes the request or the result of a Transcriber.
type faultyTranscriber struct {
	right      *fake.Transcriber
	transcribe func(right *fake.Transcriber, ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error)
}

func (f faultyTranscriber) Transcribe(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
	return f.transcribe(f.right, ctx, req)
}

func transcriberFault(transcribe func(right *fake.Transcriber, ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error)) suite {
	return func(t *testing.T) {
		enginetest.TestTranscriber(t, func(_ *testing.T, media engine.Media) engine.Transcriber {
			return faultyTranscriber{&fake.Transcriber{Media: media}, transcribe}
		})
	}
}

// wordsFault changes each transcribed word.
func wordsFault(change func(w *transcript.Word)) suite {
	return transcriberFault(func(right *fake.Transcriber, ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
		got, err := right.Transcribe(ctx, req)
		for i := range got.Words {
			change(&got.Words[i])
		}
		return got, err
	})
}

// faultyDiarizer changes the input or the result of a Diarizer.
type faultyDiarizer func(ctx context.Context, pcm io.Reader, o transcript.DiarizeOptions) ([]transcript.Turn, error)

func (f faultyDiarizer) Diarize(ctx context.Context, pcm io.Reader, o transcript.DiarizeOptions) ([]transcript.Turn, error) {
	return f(ctx, pcm, o)
}

func diarizerFault(diarize faultyDiarizer) suite {
	return func(t *testing.T) { enginetest.TestDiarizer(t, func(*testing.T) engine.Diarizer { return diarize }) }
}

// turnsFault changes each turn.
func turnsFault(change func(turn *transcript.Turn)) suite {
	return diarizerFault(func(ctx context.Context, pcm io.Reader, o transcript.DiarizeOptions) ([]transcript.Turn, error) {
		turns, err := fake.Diarizer{}.Diarize(ctx, pcm, o)
		for i := range turns {
			change(&turns[i])
		}
		return turns, err
	})
}

// eofOnError is a reader that turns every error into io.EOF.
type eofOnError struct{ io.Reader }

func (r eofOnError) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil {
		err = io.EOF
	}
	return n, err
}

// soundFaults maps a claim to a fault in a Transcriber or a Diarizer.
var soundFaults = map[string]suite{
	"words are sorted by start, within the media, with valid text": wordsFault(func(w *transcript.Word) { w.Start, w.End = w.Start+time.Second, w.End+time.Second }),
	"speakers are all unknown or labels numbered by first appearance": wordsFault(func(w *transcript.Word) {
		if w.Speaker == transcript.SpeakerLabel(1) {
			w.Speaker = ""
		}
	}),
	"silence has no words and no error": transcriberFault(func(right *fake.Transcriber, ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
		got, err := right.Transcribe(ctx, req)
		if err == nil && len(got.Words) == 0 {
			err = errors.New("no speech")
		}
		return got, err
	}),
	"a requested language is kept, and otherwise one is detected": transcriberFault(func(right *fake.Transcriber, ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
		got, err := right.Transcribe(ctx, req)
		got.Language = req.Language
		return got, err
	}),
	"progress goes from 0 to 1 and never decreases": transcriberFault(func(right *fake.Transcriber, ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
		if tell := req.Progress; tell != nil {
			req.Progress = func(done float64) { tell(1 - done) }
		}
		return right.Transcribe(ctx, req)
	}),
	"a media error keeps its code": transcriberFault(func(right *fake.Transcriber, ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
		got, err := right.Transcribe(ctx, req)
		if engine.CodeOf(err) == engine.CodeNoSpace {
			err = engine.Errorf(engine.CodeBadMedia, "Transcribe", "The media can't be read.")
		}
		return got, err
	}),
	"a transcription ends when its context ends, before or during reading": transcriberFault(func(right *fake.Transcriber, ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
		if err := ctx.Err(); err != nil {
			return engine.Transcription{}, err
		}
		return right.Transcribe(context.WithoutCancel(ctx), req)
	}),

	"checkpoints of an earlier attempt, even damaged ones, don't change the result": transcriberFault(func(right *fake.Transcriber, ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
		if req.Checkpoints == nil {
			return right.Transcribe(ctx, req)
		}
		note, err := req.Checkpoints.Load(ctx, "heard")
		if err != nil || note != nil {
			return engine.Transcription{}, err
		}
		if err := req.Checkpoints.Save(ctx, "heard", []byte("something")); err != nil {
			return engine.Transcription{}, err
		}
		return right.Transcribe(ctx, req)
	}),

	"turns are sorted, within the audio, and speakers numbered by first appearance": turnsFault(func(turn *transcript.Turn) { turn.Speaker++ }),
	"two alternating voices are two alternating speakers":                           turnsFault(func(turn *transcript.Turn) { turn.Speaker = 0 }),
	"silence has no turns for any expected number of speakers": diarizerFault(func(ctx context.Context, pcm io.Reader, o transcript.DiarizeOptions) ([]transcript.Turn, error) {
		turns, err := fake.Diarizer{}.Diarize(ctx, pcm, o)
		if len(turns) == 0 && o.Speakers == 1 && err == nil {
			turns = []transcript.Turn{{End: time.Millisecond}}
		}
		return turns, err
	}),
	"the result doesn't depend on how the audio is split into reads": diarizerFault(func(ctx context.Context, pcm io.Reader, o transcript.DiarizeOptions) ([]transcript.Turn, error) {
		return fake.Diarizer{}.Diarize(ctx, evenReads{pcm}, o)
	}),
	"two equal channels give the turns of one": func(t *testing.T) {
		enginetest.TestDiarizer(t, func(*testing.T) engine.Diarizer { return deafToStereo{} })
	},
	"diarization progress goes from 0 to 1 and never decreases": diarizerFault(func(ctx context.Context, pcm io.Reader, o transcript.DiarizeOptions) ([]transcript.Turn, error) {
		if tell := o.Progress; tell != nil {
			o.Progress = func(done float64) { tell(100 * done) }
		}
		return fake.Diarizer{}.Diarize(ctx, pcm, o)
	}),
	"an error of the audio reader is returned": diarizerFault(func(ctx context.Context, pcm io.Reader, o transcript.DiarizeOptions) ([]transcript.Turn, error) {
		return fake.Diarizer{}.Diarize(ctx, eofOnError{pcm}, o)
	}),
	"a diarization ends when its context ends, before or during reading": diarizerFault(func(ctx context.Context, pcm io.Reader, o transcript.DiarizeOptions) ([]transcript.Turn, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return fake.Diarizer{}.Diarize(context.WithoutCancel(ctx), pcm, o)
	}),
	"Assign sets each word's speaker and nothing else": func(t *testing.T) {
		enginetest.TestDiarizer(t, func(*testing.T) engine.Diarizer { return partialAssigner{} })
	},
}

// evenReads drops half a sample when a read ends within a sample.
type evenReads struct{ io.Reader }

func (r evenReads) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	return n / 2 * 2, err
}

// partialAssigner assigns only words that are completely within a turn.
type deafToStereo struct{ fake.Diarizer }

func (deafToStereo) HearsStereo() bool { return true }

type partialAssigner struct{ fake.Diarizer }

func (partialAssigner) Assign(words []transcript.Word, turns []transcript.Turn, _ transcript.Language) []transcript.Word {
	for i, w := range words {
		for _, turn := range turns {
			if turn.Start <= w.Start && w.End <= turn.End {
				words[i].Speaker = transcript.SpeakerLabel(turn.Speaker)
			}
		}
		if len(turns) == 0 {
			words[i].Speaker = ""
		}
	}
	return words
}
