package command

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/speech"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const (
	saved   = 0.1  // of the work is to decode the sound
	working = 0.98 // of the work at most is done while the program runs
)

// Transcribe decodes the media into a file, runs the program on it and reads its words. Its answer is noted, and what is noted isn't
// worked out again. Errors: CodeUnavailable for whatever the program did, Retryable where a signal ended it; CodeCanceled when ctx is
// done, which ends the program and all that it started; CodeNoSpace; those of Media and of Notes.
func (t *Transcriber) Transcribe(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
	if ctx.Err() != nil {
		return engine.Transcription{}, canceled(ctx)
	}
	select {
	case t.slots <- struct{}{}:
		defer func() { <-t.slots }()
	case <-ctx.Done():
		return engine.Transcription{}, canceled(ctx)
	}
	folder, err := os.MkdirTemp(t.cfg.Folder, "soundstage-command-")
	if err == nil {
		folder, err = filepath.Abs(folder)
	}
	if err != nil {
		return engine.Transcription{}, onDisk(err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	progress := speech.NewProgress(req.Progress)
	s, err := t.save(ctx, req, folder, func(done float64) { progress.Tell(saved * min(done, 1)) })
	if err != nil {
		return engine.Transcription{}, err
	}
	h, err := t.listen(ctx, req, folder, s, progress)
	if err != nil {
		return engine.Transcription{}, err
	}
	progress.Tell(1)
	language := req.Language
	if language == "" {
		language = speech.Language(h.language)
	}
	duration := req.Info.Duration
	if duration <= 0 {
		duration = time.Duration(s.size/2) * time.Second / transcript.SampleRate
	}
	return engine.Transcription{Language: language, Words: speech.Words(h.segments, language, duration)}, nil
}

// listen returns what was noted of this sound, else what the program tells of it.
func (t *Transcriber) listen(ctx context.Context, req engine.TranscribeRequest, folder string, s sound, progress *speech.Progress) (heard, error) {
	if s.size == 0 {
		return heard{}, nil
	}
	values := valuesOf(req)
	values["wav"], values["dir"] = soundName, "."
	call := Call{filepath.Base(t.cfg.Program), fill(t.cfg.Args, values), s.size, s.hash}
	note := noteName(t.path, call.Args, s)
	if req.Notes != nil {
		noted, err := req.Notes.Note(ctx, note)
		if err != nil {
			return heard{}, err
		}
		if answer, ok := speech.Unseal(noted); ok {
			if h, err := read(answer); err == nil {
				return h, nil
			}
		}
	}
	values["wav"], values["dir"] = s.path, folder
	text, err := t.ask(ctx, call, func() ([]byte, error) {
		texts, said, err := t.run(ctx, fill(t.cfg.Args, values), folder, func(done float64) { progress.Tell(saved + (working-saved)*done) })
		if err != nil {
			return nil, err
		}
		text, _, err := firstOf(texts)
		if err != nil {
			return nil, noJSON(err, said)
		}
		return text, nil
	})
	if err != nil {
		return heard{}, err
	}
	h, err := read(text)
	if err != nil {
		return heard{}, noJSON(err, "")
	}
	keep(ctx, req.Notes, note, text)
	return h, nil
}

// ask returns the JSON of a call.
func (t *Transcriber) ask(ctx context.Context, c Call, run func() ([]byte, error)) ([]byte, error) {
	if t.cfg.Around == nil {
		return run()
	}
	return t.cfg.Around(ctx, c, func() ([]byte, error) {
		if t.path == "" {
			_, err := find(t.cfg.Program)
			return nil, err
		}
		return run()
	})
}

// noteName is of the program, what it is called with, and the sound.
func noteName(program string, args []string, s sound) string {
	hash := sha256.Sum256(fmt.Appendf(nil, "%q\n%q\n%x", program, args, s.hash))
	return "command-" + hex.EncodeToString(hash[:16])
}

// keep notes an answer, even when ctx has ended meanwhile. Where it can't be noted there is the answer itself, which is all that is
// wanted of this try.
func keep(ctx context.Context, notes engine.Notes, name string, text []byte) {
	if notes == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	_ = notes.Keep(ctx, name, speech.Seal(text))
}
