package engine

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/soundstage-dev/soundstage/engine/progress"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

func renderPrefix(id RenderID) string { return "renders/" + string(id) + "/" }

// renderKey returns the blob key of the video that a job renders in a generation.
func renderKey(id RenderID, job queue.ID, generation int) string {
	return blobKey(renderPrefix(id), "video", job, generation, ".mp4")
}

// runRender renders the video. Each attempt starts from the beginning: blobs of earlier generations are removed.
func (e *Engine) runRender(ctx context.Context, w *work) (func(Tx) error, error) {
	if err := e.canRender("Render"); err != nil {
		return nil, err
	}
	id := RenderID(w.job.Ref)
	if err := w.afterClean(ctx, JobRenderClean); err != nil {
		return nil, err
	}
	req, err := e.renderRequest(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := e.sweepRender(ctx, id, w.job); err != nil {
		return nil, err
	}
	key := renderKey(id, w.job.ID, w.job.Generation)
	blob, err := e.blobs.Create(ctx, key, BlobMeta{ContentType: "video/mp4"})
	if err != nil {
		return nil, err
	}
	defer func() { _ = blob.Abort() }()
	req.Output = blob
	req.Progress = e.renderProgress(ctx, w, id)
	length := req.Info.Duration + 4*(req.Window.End-req.Window.Start) // finding the window takes time, too
	message, err := withDeadline(ctx, e, "Render", length, func(ctx context.Context) (string, error) {
		return e.renderer.Render(ctx, req)
	})
	if err != nil {
		return nil, err
	}
	info, err := blob.Commit()
	if err != nil {
		return nil, err
	}
	if err := e.keepBlob(ctx, key, func(tx ReadTx) (RecordingID, error) {
		r, err := tx.Render(id)
		return r.RecordingID, err
	}); err != nil {
		return nil, err
	}
	return func(tx Tx) error {
		r, err := tx.Render(id)
		if err != nil {
			return err
		}
		if _, err := tx.Recording(r.RecordingID); err != nil {
			return err // it was deleted
		}
		r.BlobKey, r.Size, r.Progress, r.Message, r.UpdatedAt = key, info.Size, 1, cmp.Or(message, "Done."), e.now()
		if err := r.apply(RenderFinished); err != nil {
			return err
		}
		return tx.PutRender(r)
	}, nil
}

// sweepRender removes the blobs of the job's generations before this one. Blobs of later generations stay: one may be the finished video, if
// this worker was paused and lost its lease.
func (e *Engine) sweepRender(ctx context.Context, id RenderID, j queue.Job) error {
	var errs []error
	for g := range j.Generation {
		errs = append(errs, e.blobs.Delete(ctx, renderKey(id, j.ID, g)))
	}
	return errors.Join(errs...)
}

// renderRequest returns what the renderer needs. The probed duration takes precedence over the stored one.
func (e *Engine) renderRequest(ctx context.Context, id RenderID) (RenderRequest, error) {
	var r Render
	var rec Recording
	var t Transcript
	var names map[string]string
	var chapters []Chapter
	err := e.store.View(ctx, func(tx ReadTx) (err error) {
		if r, err = tx.Render(id); err != nil {
			return err
		}
		if names, err = speakerNames(tx, r.RecordingID); err != nil {
			return err
		}
		if rec, err = tx.Recording(r.RecordingID); err != nil {
			return err
		}
		if t, err = tx.Transcript(rec.TranscriptID); err != nil {
			return err
		}
		chapters, err = renderChapters(tx, r, t)
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
		Source: src, Info: info, Words: transcript.TouchedWords(t.JoinedWords(), rec.Duration, r.Window), Language: t.Language,
		Window: transcript.Window{Start: r.Window.Start, End: min(r.Window.End, info.Duration)},
		Style:  r.Style, Look: r.Look, AspectRatio: r.AspectRatio, Target: r.Target, Focus: r.Focus, Title: r.Title, Names: names, Quiet: transcript.QuietAround(t.Words(), r.Window),
		MediaTitle: rec.Title, Chapters: chapters,
	}, nil
}

// renderProgress returns a function that writes the progress of a render, which never falls. A failed write is ignored, because the next
// report follows.
func (e *Engine) renderProgress(ctx context.Context, w *work, id RenderID) func(float64, string) {
	var limit progress.Throttle
	return func(done float64, message string) {
		limit.Do(e.now, message, func(now time.Time) {
			_ = w.update(ctx, func(tx Tx) error {
				r, err := tx.Render(id)
				if err != nil {
					return err
				}
				if done = min(done, 0.99); done > r.Progress { // false for NaN
					r.Progress = done
				}
				r.Message, r.UpdatedAt = message, now
				return tx.PutRender(r)
			})
		})
	}
}

// failRender ends a render whose job failed permanently.
func (e *Engine) failRender(tx Tx, j queue.Job, cause error) error {
	r, err := tx.Render(RenderID(j.Ref))
	if err != nil {
		return err
	}
	r.Message, r.UpdatedAt = Message(cause), e.now()
	if r.ErrorCode, r.ErrorHint, r.ErrorRule = details(cause); r.ErrorHint != "" {
		r.Message += " " + r.ErrorHint
	}
	if err := r.apply(RenderErrored); err != nil {
		return err
	}
	if err := tx.PutRender(r); err != nil {
		return err
	}
	return tx.Enqueue(e.jobAfter(j, JobRenderClean, j.Ref, j.Tenant, e.now()))
}

// runRenderClean removes the blobs of a failed render.
func (e *Engine) runRenderClean(ctx context.Context, w *work) (func(Tx) error, error) {
	return nil, e.sweep(ctx, renderPrefix(RenderID(w.job.Ref)), "")
}
