package assemblyai

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backend"
	"github.com/soundstage-dev/soundstage/engine/speech"
)

// submit uploads the media unless that is done, requests the transcript, and stores its ID in the memo.
func (w *work) submit(ctx context.Context) error {
	noted := w.memo.Upload != ""
	if noted {
		// The attempt that stored the upload may have crashed after it requested the transcript.
		if err := w.find(ctx); err != nil || w.memo.ID != "" {
			return err
		}
	}
	if !noted {
		if err := w.send(ctx); err != nil {
			return err
		}
	}
	err := w.create(ctx)
	if noted && isGone(err) {
		if err := w.send(ctx); err != nil {
			return err
		}
		return w.create(ctx)
	}
	return err
}

// isGone reports whether a request was refused because its upload is gone: uploads are kept for one day, and only for their account.
func isGone(err error) bool {
	status := statusOf(err)
	return status == http.StatusBadRequest || status == http.StatusForbidden || status == http.StatusNotFound || status == http.StatusUnprocessableEntity
}

// send uploads the media and stores its URL in the memo.
func (w *work) send(ctx context.Context) error {
	sound, err := speech.SoundOf(ctx, w.req.Source, w.cfg.Media, maxUpload)
	if err != nil {
		return err
	}
	sound = sound.Counted(func(bytes int64) {
		if sound.Size > 0 {
			w.progress.Report(uploaded * float64(bytes) / float64(sound.Size))
		}
	})
	var answer struct {
		URL string `json:"upload_url"`
	}
	body := &backend.Body{Type: "application/octet-stream", Size: sound.Size, Open: sound.Open}
	if err := w.upload.Get(ctx, backend.Request{Path: "/v2/upload", Body: body}, &answer); err != nil {
		return err
	}
	if answer.URL == "" {
		return incomplete("upload_url")
	}
	w.memo = memo{Upload: answer.URL}
	return w.keep(ctx)
}

// create requests the transcript and stores its ID in the memo.
func (w *work) create(ctx context.Context) error {
	a := w.ask
	a.AudioURL = w.memo.Upload
	body, err := backend.JSON(a)
	if err != nil {
		return &engine.Error{Code: engine.CodeInternal, Op: name, Err: err}
	}
	var answer transcript
	if err := w.api.Get(ctx, backend.Request{Path: "/v2/transcript", Body: body}, &answer); err != nil {
		return err
	}
	return w.found(ctx, answer.ID)
}

// find searches the account's transcripts for one of the upload.
func (w *work) find(ctx context.Context) error {
	var answer struct {
		Transcripts []struct {
			ID       string `json:"id"`
			AudioURL string `json:"audio_url"`
		} `json:"transcripts"`
	}
	err := w.api.Get(ctx, backend.Request{Path: "/v2/transcript", Query: url.Values{"limit": {"200"}}}, &answer)
	if failed, ok := errors.AsType[*engine.Error](err); ok && !failed.Retryable && failed.Code == engine.CodeUnavailable {
		return nil // the server has no list
	}
	if err != nil {
		return err
	}
	for _, t := range answer.Transcripts {
		if t.AudioURL == w.memo.Upload && t.ID != "" {
			return w.found(ctx, t.ID)
		}
	}
	return nil
}

// found stores the ID of the transcript in the memo, even if ctx is done. If that fails, the attempt still waits for the
// transcript: giving up would certainly pay twice.
func (w *work) found(ctx context.Context, id string) error {
	if id == "" {
		return incomplete("id")
	}
	w.memo.ID = id
	_ = w.keep(ctx)
	return nil
}

func incomplete(field string) error {
	return engine.Errorf(engine.CodeUnavailable, "Transcribe", "The response from %s could not be parsed.", name).Transient().
		Because(errors.New("it has no " + field)).WithHint("Check the URL.")
}
