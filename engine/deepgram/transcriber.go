package deepgram

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backend"
	"github.com/soundstage-dev/soundstage/engine/speech"
)

// sent is the share of the progress for sending the media.
const sent = 0.6

// Transcribe sends the media and returns its words. It returns CodeUnavailable, Retryable if another attempt may succeed;
// CodeBadMedia if the server can't read the media; CodeTooLarge for more than 2 GB without Media; CodeCanceled when ctx
// is done; and the errors of the Source, of Media, and of the notes.
func (t *Transcriber) Transcribe(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
	if ctx.Err() != nil {
		return engine.Transcription{}, engine.Errorf(engine.CodeCanceled, "Transcribe", "The transcription was canceled.").Because(context.Cause(ctx))
	}
	progress := speech.NewProgress(req.Progress)
	q := query(req, t.cfg.Model)
	note := noteName(t.cfg.URL, q.Encode(), req.Source.Size())
	a, err := recall(ctx, req.Checkpoints, note)
	if err != nil {
		return engine.Transcription{}, err
	}
	if a.Results == nil {
		if a, err = t.ask(ctx, backend.Request{Path: "/v1/listen", Query: q}, req, note, progress); err != nil {
			return engine.Transcription{}, err
		}
	}
	progress.Report(1)
	heard := a.transcription(req)
	heard.Model = name + " (" + t.cfg.Model + ")"
	return heard, nil
}

// ask sends the media, and stores the response in a note.
func (t *Transcriber) ask(ctx context.Context, r backend.Request, req engine.TranscribeRequest, note string, progress *speech.Progress) (a answer, err error) {
	sound, err := speech.SoundOf(ctx, req.Source, t.cfg.Media, maxMedia)
	if err != nil {
		return answer{}, err
	}
	sound = sound.Counted(func(bytes int64) {
		if sound.Size > 0 {
			progress.Report(sent * float64(bytes) / float64(sound.Size))
		}
	})
	r.Body = &backend.Body{Type: "application/octet-stream", Size: sound.Size, Open: sound.Open}
	var got json.RawMessage
	if err := t.client.Get(ctx, r, &got); err != nil {
		return answer{}, explain(err)
	}
	if a, err = decode(got); err != nil {
		return answer{}, engine.Errorf(engine.CodeUnavailable, "Transcribe", "The response from %s could not be parsed.", name).Transient().Because(err).
			WithHint("Check the URL, and that the model transcribes recordings.")
	}
	keep(ctx, req.Checkpoints, note, got)
	return a, nil
}

// decode parses a response. A response without results is an error.
func decode(b []byte) (a answer, err error) {
	if err := backend.Decode(b, &a); err != nil {
		return answer{}, err
	}
	if a.Results == nil {
		return answer{}, errors.New("it has no results")
	}
	return a, nil
}

// explain distinguishes three errors that the server reports alike: bad media, an invalid request, and an incomplete
// upload, which is retryable. Source: https://developers.deepgram.com/reference/errors.
func explain(err error) error {
	refused, ok := errors.AsType[*backend.Refusal](err)
	if !ok {
		return err
	}
	said := strings.ToLower(refused.Body)
	switch {
	case refused.Status == http.StatusBadRequest && (strings.Contains(said, "failed to process audio") || strings.Contains(said, "corrupt")):
		return engine.Errorf(engine.CodeBadMedia, "Transcribe", "%s could not read the media.", name).Because(refused).
			WithHint("Check that the file plays, or convert it.")
	case refused.Status == http.StatusUnprocessableEntity:
		return engine.Errorf(engine.CodeUnavailable, "Transcribe", "%s did not receive all of the media.", name).Because(refused).Transient().
			WithHint("Try again. If it happens again, look for a proxy that limits uploads.")
	}
	return err
}

// noteName derives the note's name from the request, the server, and the media.
func noteName(address, query string, size int64) string {
	hash := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%d", address, query, size))
	return "deepgram-" + hex.EncodeToString(hash[:16])
}

// recall reads the response that an earlier attempt stored. It ignores one that can't be parsed.
func recall(ctx context.Context, notes engine.Checkpoints, name string) (answer, error) {
	if notes == nil {
		return answer{}, nil
	}
	note, err := notes.Load(ctx, name)
	if err != nil {
		return answer{}, err
	}
	said, _ := speech.Unseal(note)
	a, _ := decode(said)
	return a, nil
}

// keep stores a response in a note, even if ctx is done. It ignores errors, because this attempt has its response.
func keep(ctx context.Context, notes engine.Checkpoints, name string, body []byte) {
	if notes == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	_ = notes.Save(ctx, name, speech.Seal(body))
}
