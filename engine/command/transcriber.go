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
	decodeProgress = 0.1  // progress when the sound is decoded
	maxRunProgress = 0.98 // highest progress while the program runs
)

// Transcribe decodes the media into a WAV file, runs the program on it, and reads the words. It saves the program's JSON as a checkpoint, so
// that a retry doesn't run the program again. If ctx is done, it ends the program and its child processes.
//
// It returns CodeUnavailable if the program fails (Retryable if a signal ended it), CodeCanceled if ctx is done, CodeNoSpace, CodeTooLarge,
// and the errors of Media and of the checkpoints.
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
		return engine.Transcription{}, fileError(err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	progress := speech.NewProgress(req.Progress)
	s, err := t.save(ctx, req, folder, func(done float64) { progress.Report(decodeProgress * min(done, 1)) })
	if err != nil {
		return engine.Transcription{}, err
	}
	h, err := t.recognise(ctx, req, folder, s, progress)
	if err != nil {
		return engine.Transcription{}, err
	}
	progress.Report(1)
	language := req.Language
	if language == "" {
		language = speech.Language(h.language)
	}
	duration := req.Info.Duration
	if duration <= 0 {
		duration = time.Duration(s.size/2) * time.Second / transcript.SampleRate
	}
	return engine.Transcription{Language: language, Words: speech.Words(h.segments, language, duration), Model: filepath.Base(t.cfg.Program)}, nil
}

// recognise returns the result from the checkpoint of this sound, or else from the program.
func (t *Transcriber) recognise(ctx context.Context, req engine.TranscribeRequest, folder string, s sound, progress *speech.Progress) (result, error) {
	if s.size == 0 {
		return result{}, nil
	}
	values := placeholderValues(req)
	values["wav"], values["dir"] = soundName, "."
	call := Call{filepath.Base(t.cfg.Program), expand(t.cfg.Args, values), s.size, s.hash}
	note := checkpointName(t.path, call.Args, s)
	if req.Checkpoints != nil {
		noted, err := req.Checkpoints.Load(ctx, note)
		if err != nil {
			return result{}, err
		}
		if answer, ok := speech.Unseal(noted); ok {
			if h, err := read(answer); err == nil {
				return h, nil
			}
		}
	}
	values["wav"], values["dir"] = s.path, folder
	text, err := t.call(ctx, call, func() ([]byte, error) {
		texts, said, err := t.run(ctx, expand(t.cfg.Args, values), folder, func(done float64) { progress.Report(decodeProgress + (maxRunProgress-decodeProgress)*done) })
		if err != nil {
			return nil, err
		}
		text, _, err := firstResult(texts)
		if err != nil {
			return nil, noJSON(err, said)
		}
		return text, nil
	})
	if err != nil {
		return result{}, err
	}
	h, err := read(text)
	if err != nil {
		return result{}, noJSON(err, "")
	}
	saveCheckpoint(ctx, req.Checkpoints, note, text)
	return h, nil
}

// call returns the JSON of a call, through Config.Wrap if it is set.
func (t *Transcriber) call(ctx context.Context, c Call, run func() ([]byte, error)) ([]byte, error) {
	if t.cfg.Wrap == nil {
		return run()
	}
	return t.cfg.Wrap(ctx, c, func() ([]byte, error) {
		if t.path == "" {
			_, err := findProgram(t.cfg.Program)
			return nil, err
		}
		return run()
	})
}

// checkpointName returns the checkpoint's name: a hash of the program, its arguments, and the sound.
func checkpointName(program string, args []string, s sound) string {
	hash := sha256.Sum256(fmt.Appendf(nil, "%q\n%q\n%x", program, args, s.hash))
	return "command-" + hex.EncodeToString(hash[:16])
}

// saveCheckpoint saves a checkpoint, even if ctx is done. It ignores errors, because this attempt already has its result.
func saveCheckpoint(ctx context.Context, notes engine.Checkpoints, name string, text []byte) {
	if notes == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	_ = notes.Save(ctx, name, speech.Seal(text))
}
