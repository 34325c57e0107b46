package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// progressEvery bounds how often the progress of a render is written.
const progressEvery = 250 * time.Millisecond

func renderPrefix(id RenderID) string { return "renders/" + string(id) + "/" }

// renderKey is where the try of a generation writes the video.
func renderKey(id RenderID, generation int) string {
	return fmt.Sprintf("%s%d.mp4", renderPrefix(id), generation)
}

// runRender makes the video. It begins anew after a crash: what an earlier try has written is under another generation's name
// and is swept.
func (e *Engine) runRender(ctx context.Context, w *work) (func(Tx) error, error) {
	if err := e.canRender("Render"); err != nil {
		return nil, err
	}
	id := RenderID(w.job.Ref)
	req, err := e.renderRequest(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := e.sweepRender(ctx, id, w.job.Generation); err != nil {
		return nil, err
	}
	key := renderKey(id, w.job.Generation)
	blob, err := e.blobs.Create(ctx, key, BlobMeta{ContentType: "video/mp4"})
	if err != nil {
		return nil, err
	}
	defer func() { _ = blob.Abort() }()
	req.Output = blob
	req.Progress = e.renderProgress(ctx, w, id)
	message, err := e.renderer.Render(ctx, req)
	if err != nil {
		return nil, err
	}
	info, err := blob.Commit()
	if err != nil {
		return nil, err
	}
	return func(tx Tx) error {
		r, err := tx.Render(id)
		if err != nil {
			return err
		}
		r.BlobKey, r.Size, r.Progress, r.Message, r.UpdatedAt = key, info.Size, 1, cmp.Or(message, "Done."), e.now()
		if err := r.apply(RenderFinished); err != nil {
			return err
		}
		return tx.PutRender(r)
	}, nil
}

// sweepRender removes what the tries before a generation have written. What a later one wrote stays: it is the video, when this
// try is one that was believed dead.
func (e *Engine) sweepRender(ctx context.Context, id RenderID, generation int) error {
	var errs []error
	for g := range generation {
		errs = append(errs, e.blobs.Delete(ctx, renderKey(id, g)))
	}
	return errors.Join(errs...)
}

// renderRequest gathers what the renderer needs. The media's own duration wins over what is remembered of it.
func (e *Engine) renderRequest(ctx context.Context, id RenderID) (RenderRequest, error) {
	var r Render
	var rec Recording
	var t Transcript
	err := e.store.View(ctx, func(tx ReadTx) (err error) {
		if r, err = tx.Render(id); err != nil {
			return err
		}
		if rec, err = tx.Recording(r.RecordingID); err != nil {
			return err
		}
		t, err = tx.Transcript(rec.TranscriptID)
		return err
	})
	if err != nil {
		return RenderRequest{}, err
	}
	src, err := e.source(ctx, rec.BlobKey)
	if err != nil {
		return RenderRequest{}, err
	}
	info, err := e.media.Probe(ctx, src)
	if err != nil {
		return RenderRequest{}, err
	}
	if r.Window.Start >= info.Duration {
		return RenderRequest{}, Errorf(CodeBadMedia, "Render", "The media ends before the window begins.")
	}
	return RenderRequest{
		Source: src, Info: info, Words: transcript.TouchedWords(t.Words(), rec.Duration, r.Window), Language: t.Language,
		Window: transcript.Window{Start: r.Window.Start, End: min(r.Window.End, info.Duration)},
		Style:  r.Style, AspectRatio: r.AspectRatio, Title: r.Title, MediaTitle: rec.Title,
	}, nil
}

// renderProgress returns a function that writes how far the render is, not too often and never backwards. That it could not be
// written is no failure: the next report tells more.
func (e *Engine) renderProgress(ctx context.Context, w *work, id RenderID) func(float64, string) {
	var mu sync.Mutex
	var last time.Time
	var said string
	return func(done float64, message string) {
		mu.Lock()
		defer mu.Unlock()
		now := e.now()
		if now.Sub(last) < progressEvery && message == said {
			return
		}
		last, said = now, message
		_ = w.update(ctx, func(tx Tx) error {
			r, err := tx.Render(id)
			if err != nil {
				return err
			}
			if done = min(done, 0.99); done > r.Progress { // which NaN isn't either
				r.Progress = done
			}
			r.Message, r.UpdatedAt = message, now
			return tx.PutRender(r)
		})
	}
}

// failRender ends a render whose job failed for good.
func (e *Engine) failRender(tx Tx, j queue.Job, cause error) error {
	r, err := tx.Render(RenderID(j.Ref))
	if err != nil {
		return err
	}
	r.Message, r.UpdatedAt = Message(cause), e.now()
	if r.ErrorHint, r.ErrorRule = adviceOf(cause); r.ErrorHint != "" {
		r.Message += " " + r.ErrorHint
	}
	if err := r.apply(RenderErrored); err != nil {
		return err
	}
	if err := tx.PutRender(r); err != nil {
		return err
	}
	return tx.Enqueue(e.newJob(jobRenderClean, j.Ref, j.Tenant, e.now()))
}

// runRenderClean removes what the tries of a failed render left behind.
func (e *Engine) runRenderClean(ctx context.Context, w *work) (func(Tx) error, error) {
	return nil, e.sweep(ctx, renderPrefix(RenderID(w.job.Ref)), "")
}
