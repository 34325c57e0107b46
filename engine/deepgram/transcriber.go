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

// sent is the share of the work that sending the media is.
const sent = 0.6

// Transcribe sends the media and reads the words. Errors: CodeUnavailable, Retryable where another try may help; CodeBadMedia where the
// server can't read the media; CodeTooLarge for more than 2 GB without a Media; CodeCanceled when ctx is done; those of the Source, of
// Media and of Notes.
func (t *Transcriber) Transcribe(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
	if ctx.Err() != nil {
		return engine.Transcription{}, engine.Errorf(engine.CodeCanceled, name, "The transcription was canceled.").Because(context.Cause(ctx))
	}
	progress := speech.NewProgress(req.Progress)
	q := query(req, t.cfg.Model)
	note := noteName(t.cfg.URL, q.Encode(), req.Source.Size())
	a, err := recall(ctx, req.Notes, note)
	if err != nil {
		return engine.Transcription{}, err
	}
	if a.Results == nil {
		if a, err = t.ask(ctx, backend.Request{Path: "/v1/listen", Query: q}, req, note, progress); err != nil {
			return engine.Transcription{}, err
		}
	}
	progress.Tell(1)
	return a.transcription(req), nil
}

// ask sends the media, and notes the answer.
func (t *Transcriber) ask(ctx context.Context, r backend.Request, req engine.TranscribeRequest, note string, progress *speech.Progress) (a answer, err error) {
	sound, err := speech.SoundOf(ctx, req.Source, t.cfg.Media, maxMedia)
	if err != nil {
		return answer{}, err
	}
	sound = sound.Counted(func(bytes int64) {
		if sound.Size > 0 {
			progress.Tell(sent * float64(bytes) / float64(sound.Size))
		}
	})
	r.Body = &backend.Body{Type: "application/octet-stream", Size: sound.Size, Open: sound.Open}
	var got json.RawMessage
	if err := t.client.Get(ctx, r, &got); err != nil {
		return answer{}, explain(err)
	}
	if a, err = decode(got); err != nil {
		return answer{}, engine.Errorf(engine.CodeUnavailable, name, "The answer of %s could not be understood.", name).Transient().Because(err)
	}
	keep(ctx, req.Notes, note, got)
	return a, nil
}

// decode reads an answer; one without results is none.
func decode(b []byte) (a answer, err error) {
	if err := backend.Decode(b, &a); err != nil {
		return answer{}, err
	}
	if a.Results == nil {
		return answer{}, errors.New("it has no results")
	}
	return a, nil
}

// explain tells media that the server can't read from a request that it doesn't understand, and an upload that broke off, which it
// refuses for good, from either. Source: https://developers.deepgram.com/reference/errors.
func explain(err error) error {
	refused, ok := errors.AsType[*backend.Refusal](err)
	if !ok {
		return err
	}
	said := strings.ToLower(refused.Said)
	switch {
	case refused.Status == http.StatusBadRequest && (strings.Contains(said, "failed to process audio") || strings.Contains(said, "corrupt")):
		return engine.Errorf(engine.CodeBadMedia, name, "%s could not read the media.", name).Because(refused)
	case refused.Status == http.StatusUnprocessableEntity:
		return engine.Errorf(engine.CodeUnavailable, name, "%s did not get all of the media.", name).Because(refused).Transient()
	}
	return err
}

// noteName is of what is asked, of whom and about what.
func noteName(address, query string, size int64) string {
	hash := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%d", address, query, size))
	return "deepgram-" + hex.EncodeToString(hash[:16])
}

// recall reads the answer that an earlier try noted. One that can't be read is none.
func recall(ctx context.Context, notes engine.Notes, name string) (answer, error) {
	if notes == nil {
		return answer{}, nil
	}
	note, err := notes.Note(ctx, name)
	if err != nil {
		return answer{}, err
	}
	said, _ := speech.Unseal(note)
	a, _ := decode(said)
	return a, nil
}

// keep notes an answer, even when ctx has ended meanwhile. Where it can't be noted there is the answer itself, which is all that is
// wanted of this try.
func keep(ctx context.Context, notes engine.Notes, name string, body []byte) {
	if notes == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	_ = notes.Keep(ctx, name, speech.Seal(body))
}
