package speech

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Parts transcribes sound of any length with a server that takes only so much at once. The media is decoded once, into a file without a
// name, and cut where it is quietest; each part is sent as a WAV file, and what was heard is put together. A part that has no sound is
// never sent, because models trained on subtitles make words up where nothing is said.
type Parts struct {
	Media       engine.Media
	Limits      Limits
	Concurrency int // parts that are sent at once; at least 1
}

// Limits is what a server takes at once.
type Limits struct {
	MaxBytes    int64         // of a WAV file; 0 for no limit
	MaxDuration time.Duration // 0 for no limit
}

// Heard is what a server heard in one part; times are from the part's start.
type Heard struct {
	Language transcript.Language // "" when it didn't tell
	Segments []Segment
}

// Send has a server hear one part.
type Send func(ctx context.Context, part Part) (Heard, error)

// Transcribe returns what is said in all parts. key tells everything that decides what send hears of a sound, beside what is in the
// request: the server, its model, its settings. What a part says is kept in req.Notes when it is there, and a part that has a note is
// not sent again; a note that can't be kept is no reason to stop. The first error ends the other parts.
//
// The language is the one that was asked for, else the one that most seconds of parts are told to be in, else what the media says of
// itself or the default, where there are words. Speakers of several parts
// can't be told to be the same, so they are left out where there is more than one part. Errors are those of ctx, Media, Notes and send;
// CodeNoSpace and CodeUnavailable of the folder for temporary files.
func (p Parts) Transcribe(ctx context.Context, req engine.TranscribeRequest, key string, send Send) (engine.Transcription, error) {
	if err := ctx.Err(); err != nil {
		return engine.Transcription{}, canceled(ctx)
	}
	done := &partProgress{Progress: NewProgress(req.Progress)}
	sound, err := p.record(ctx, req, done)
	if err != nil {
		return engine.Transcription{}, err
	}
	defer sound.close()
	heard := make([]note, len(sound.parts))
	if err := p.each(ctx, sound.parts, func(ctx context.Context, i int) error {
		n, err := hear(ctx, req, key, sound.parts[i], send)
		if err != nil {
			return err
		}
		heard[i] = n
		done.add(sound.parts[i].Duration)
		return nil
	}); err != nil {
		return engine.Transcription{}, err
	}
	out := engine.Transcription{Language: req.Language, Words: stitch(sound.parts, heard)}
	if out.Language == "" {
		out.Language = mostSpoken(sound.parts, heard)
	}
	if out.Language == "" && len(out.Words) > 0 {
		out.Language = cmp.Or(transcript.LanguageOfTag(req.Info.Language), transcript.DefaultLanguage)
	}
	if n := len(out.Words); n > 0 && req.Info.Duration > 0 && out.Words[n-1].End > req.Info.Duration {
		out.Duration = sound.duration()
	}
	done.end()
	return out, nil
}

// each calls fn for every part, some at once, until one fails, and returns when all have ended.
func (p Parts) each(ctx context.Context, parts []Part, fn func(ctx context.Context, i int) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(max(p.Concurrency, 1), len(parts)) {
		workers.Go(func() {
			for i := range next {
				if ctx.Err() != nil {
					continue // it was handed over while another failed
				}
				if err := fn(ctx, i); err != nil {
					stop(failed{err})
				}
			}
		})
	}
	for i := range parts {
		if ctx.Err() == nil {
			select {
			case next <- i:
			case <-ctx.Done():
			}
		}
	}
	close(next)
	workers.Wait()
	if first, ok := errors.AsType[failed](context.Cause(ctx)); ok {
		return first.error
	}
	if ctx.Err() != nil {
		return canceled(ctx)
	}
	return nil
}

// failed marks the error of a part among the reasons for which a context ends.
type failed struct{ error }

// hear returns what a part says: as it is noted, else as the server hears it.
func hear(ctx context.Context, req engine.TranscribeRequest, key string, part Part, send Send) (note, error) {
	if !part.sounds() {
		return note{}, nil
	}
	name, err := noteName(req, key, part)
	if err != nil {
		return note{}, err
	}
	if n, ok, err := readNote(ctx, req.Notes, name, part); ok || err != nil {
		return n, err
	}
	got, err := send(ctx, part)
	if err != nil {
		return note{}, err
	}
	n := newNote(got, req.Language, part)
	keepNote(ctx, req.Notes, name, n)
	return n, nil
}

// mostSpoken returns the language that most of the time is told to be in; of equals, the one that is told first. Where nobody says
// anything, a second is as good as another.
func mostSpoken(parts []Part, heard []note) (best transcript.Language) {
	told := map[transcript.Language]time.Duration{}
	for i, h := range heard {
		told[h.Language]++
		if len(h.Words) > 0 {
			told[h.Language] += parts[i].Duration
		}
	}
	for _, h := range heard {
		if h.Language != "" && (best == "" || told[h.Language] > told[best]) {
			best = h.Language
		}
	}
	return best
}

func canceled(ctx context.Context) error {
	return engine.Errorf(engine.CodeCanceled, "Transcribe", "The transcription was canceled.").Because(context.Cause(ctx))
}
