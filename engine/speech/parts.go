package speech

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Parts transcribes audio of any length with a server that limits its input. It decodes the media once, into a temporary
// file, and cuts it at the quietest points. It sends each part as a WAV file, and joins the transcriptions. It never
// sends a part without sound, because models trained on subtitles invent words for silence.
type Parts struct {
	Media       engine.Media
	Limits      Limits
	Concurrency int    // maximum number of concurrent requests; at least 1
	Model       string // the server and its model, as engine.Transcription has it
}

// Limits is the maximum input of a server.
type Limits struct {
	MaxBytes    int64         // of a WAV file; 0 for no limit
	MaxDuration time.Duration // 0 for no limit
}

// Result is a server's transcription of one part. Times are from the part's start.
type Result struct {
	Language transcript.Language // "" if unknown
	Segments []Segment
}

// Send transcribes one part with a server.
type Send func(ctx context.Context, part Part) (Result, error)

// Transcribe returns the transcription of all parts. key identifies everything besides the request that determines the
// result of send: the server, its model, and its settings. Each part's transcription is stored in req.Checkpoints, and a stored
// part is not sent again. Failing to store a note is not an error. The first error of send cancels the other parts.
//
// If there are words, the language is the requested one, else the one with the most seconds of parts, else the media's
// own or the default. With more than one part, speakers are omitted, because they can't be matched between parts.
// Transcribe returns the errors of ctx, Media, Checkpoints, and send, and CodeNoSpace and CodeUnavailable for the temporary
// file.
func (p Parts) Transcribe(ctx context.Context, req engine.TranscribeRequest, key string, send Send) (engine.Transcription, error) {
	if err := ctx.Err(); err != nil {
		return engine.Transcription{}, canceled(ctx)
	}
	done := &partProgress{Progress: NewProgress(req.Progress)}
	sound, err := p.decodeToFile(ctx, req, done)
	if err != nil {
		return engine.Transcription{}, err
	}
	defer sound.close()
	heard := make([]note, len(sound.parts))
	if err := p.each(ctx, sound.parts, func(ctx context.Context, i int) error {
		n, err := transcribePart(ctx, req, key, sound.parts[i], send)
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
	if slices.ContainsFunc(sound.parts, Part.hasSound) {
		out.Model = p.Model
	}
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

// each calls fn for every part, up to p.Concurrency concurrently, until one fails. It returns when all calls have returned.
func (p Parts) each(ctx context.Context, parts []Part, fn func(ctx context.Context, i int) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(max(p.Concurrency, 1), len(parts)) {
		workers.Go(func() {
			for i := range next {
				if ctx.Err() != nil {
					continue // another part failed after this one was queued
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

// failed marks a context's cause as the error of a part.
type failed struct{ error }

// transcribePart returns a part's transcription: from its note, or from the server.
func transcribePart(ctx context.Context, req engine.TranscribeRequest, key string, part Part, send Send) (note, error) {
	if !part.hasSound() {
		return note{}, nil
	}
	name, err := noteName(req, key, part)
	if err != nil {
		return note{}, err
	}
	if n, ok, err := readNote(ctx, req.Checkpoints, name, part); ok || err != nil {
		return n, err
	}
	got, err := send(ctx, part)
	if err != nil {
		return note{}, err
	}
	n := newNote(got, req.Language, part)
	keepNote(ctx, req.Checkpoints, name, n)
	return n, nil
}

// mostSpoken returns the language of the longest total duration of parts with words; the number of parts breaks ties.
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
