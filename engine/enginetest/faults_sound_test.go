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

// faultyTranscriber changes what a Transcriber is asked or what it hears.
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

// wordsFault changes each word that is heard.
func wordsFault(change func(w *transcript.Word)) suite {
	return transcriberFault(func(right *fake.Transcriber, ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
		got, err := right.Transcribe(ctx, req)
		for i := range got.Words {
			change(&got.Words[i])
		}
		return got, err
	})
}

// faultyDiarizer changes what a Diarizer hears or finds.
type faultyDiarizer func(ctx context.Context, pcm io.Reader, o transcript.DiarizeOptions) ([]transcript.Turn, error)

func (f faultyDiarizer) Diarize(ctx context.Context, pcm io.Reader, o transcript.DiarizeOptions) ([]transcript.Turn, error) {
	return f(ctx, pcm, o)
}

func diarizerFault(diarize faultyDiarizer) suite {
	return func(t *testing.T) { enginetest.TestDiarizer(t, func(*testing.T) engine.Diarizer { return diarize }) }
}

// turnsFault changes each turn that is found.
func turnsFault(change func(turn *transcript.Turn)) suite {
	return diarizerFault(func(ctx context.Context, pcm io.Reader, o transcript.DiarizeOptions) ([]transcript.Turn, error) {
		turns, err := fake.Diarizer{}.Diarize(ctx, pcm, o)
		for i := range turns {
			change(&turns[i])
		}
		return turns, err
	})
}

// onceRead is a reader whose every error is its end.
type onceRead struct{ io.Reader }

func (r onceRead) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil {
		err = io.EOF
	}
	return n, err
}

// soundFaults is what can be wrong with what listens.
var soundFaults = map[string]suite{
	"words are in order of their start, inside the media, and can be shown": wordsFault(func(w *transcript.Word) { w.Start, w.End = w.Start+time.Second, w.End+time.Second }),
	"speakers are all unknown, or labels in order of their first word": wordsFault(func(w *transcript.Word) {
		if w.Speaker == transcript.SpeakerLabel(1) {
			w.Speaker = ""
		}
	}),
	"silence has no words and is no error": transcriberFault(func(right *fake.Transcriber, ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
		got, err := right.Transcribe(ctx, req)
		if err == nil && len(got.Words) == 0 {
			err = errors.New("nobody speaks")
		}
		return got, err
	}),
	"the language that was asked for is kept, and one that wasn't is found": transcriberFault(func(right *fake.Transcriber, ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
		got, err := right.Transcribe(ctx, req)
		got.Language = req.Language
		return got, err
	}),
	"progress goes from 0 to 1 and never falls": transcriberFault(func(right *fake.Transcriber, ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
		if tell := req.Progress; tell != nil {
			req.Progress = func(done float64) { tell(1 - done) }
		}
		return right.Transcribe(ctx, req)
	}),
	"an error of the media comes back with its code": transcriberFault(func(right *fake.Transcriber, ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
		got, err := right.Transcribe(ctx, req)
		if engine.CodeOf(err) == engine.CodeNoSpace {
			err = engine.Errorf(engine.CodeBadMedia, "Transcribe", "The media can't be read.")
		}
		return got, err
	}),
	"a transcription whose context is over ends, before and while it listens": transcriberFault(func(right *fake.Transcriber, ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
		if err := ctx.Err(); err != nil {
			return engine.Transcription{}, err
		}
		return right.Transcribe(context.WithoutCancel(ctx), req)
	}),

	"with the notes of an earlier try the same is heard, whatever became of them": transcriberFault(func(right *fake.Transcriber, ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
		if req.Notes == nil {
			return right.Transcribe(ctx, req)
		}
		note, err := req.Notes.Note(ctx, "heard")
		if err != nil || note != nil {
			return engine.Transcription{}, err
		}
		if err := req.Notes.Keep(ctx, "heard", []byte("something")); err != nil {
			return engine.Transcription{}, err
		}
		return right.Transcribe(ctx, req)
	}),

	"turns are in order, inside the sound, of speakers who are numbered as they first speak": turnsFault(func(turn *transcript.Turn) { turn.Speaker++ }),
	"two voices that take turns are two speakers in turn":                                    turnsFault(func(turn *transcript.Turn) { turn.Speaker = 0 }),
	"where nobody speaks there are no turns, whatever number is expected": diarizerFault(func(ctx context.Context, pcm io.Reader, o transcript.DiarizeOptions) ([]transcript.Turn, error) {
		turns, err := fake.Diarizer{}.Diarize(ctx, pcm, o)
		if len(turns) == 0 && o.Speakers == 1 && err == nil {
			turns = []transcript.Turn{{End: time.Millisecond}}
		}
		return turns, err
	}),
	"how the sound is cut into reads makes no difference": diarizerFault(func(ctx context.Context, pcm io.Reader, o transcript.DiarizeOptions) ([]transcript.Turn, error) {
		return fake.Diarizer{}.Diarize(ctx, evenReads{pcm}, o)
	}),
	"diarization progresses from 0 to 1 and never falls": diarizerFault(func(ctx context.Context, pcm io.Reader, o transcript.DiarizeOptions) ([]transcript.Turn, error) {
		if tell := o.Progress; tell != nil {
			o.Progress = func(done float64) { tell(100 * done) }
		}
		return fake.Diarizer{}.Diarize(ctx, pcm, o)
	}),
	"an error of the sound comes back": diarizerFault(func(ctx context.Context, pcm io.Reader, o transcript.DiarizeOptions) ([]transcript.Turn, error) {
		return fake.Diarizer{}.Diarize(ctx, onceRead{pcm}, o)
	}),
	"a diarization whose context is over ends, before and while it listens": diarizerFault(func(ctx context.Context, pcm io.Reader, o transcript.DiarizeOptions) ([]transcript.Turn, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return fake.Diarizer{}.Diarize(context.WithoutCancel(ctx), pcm, o)
	}),
	"a diarizer that assigns words gives each a speaker and changes nothing else": func(t *testing.T) {
		enginetest.TestDiarizer(t, func(*testing.T) engine.Diarizer { return forgetful{} })
	},
}

// evenReads loses the second half of a sample when a read ends in its middle.
type evenReads struct{ io.Reader }

func (r evenReads) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	return n / 2 * 2, err
}

// forgetful assigns only words that lie in a turn.
type forgetful struct{ fake.Diarizer }

func (forgetful) Assign(words []transcript.Word, turns []transcript.Turn) []transcript.Word {
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
