package engine

import (
	"context"
	"errors"

	"github.com/soundstage-dev/soundstage/engine/queue"
)

// The Retry methods queue the work of a failed row again, with the same settings and a full number of attempts. The row has its first
// status again, and the Wait method of its kind waits for it.

// notFailed is the error for a row that can't be retried.
func notFailed(op, noun string, status any) *Error {
	return Errorf(CodeConflict, op, "The %s has not failed: its status is %v.", noun, status)
}

// RetryTranscript queues the transcription of a failed transcript again: a recording's TranscriptID or NextTranscriptID, or that of a URL.
// Errors: CodeNotFound, CodeConflict (it has not failed), CodeUnavailable.
func (e *Engine) RetryTranscript(ctx context.Context, c Caller, id TranscriptID) (Transcript, error) {
	const op = "RetryTranscript"
	if err := e.canTranscribe(op); err != nil {
		return Transcript{}, err
	}
	var t Transcript
	err := e.update(ctx, func(tx Tx) (err error) {
		if t, err = tx.Transcript(id); err != nil {
			return err
		}
		if err := e.mayRetry(tx, c, t); err != nil {
			return err
		}
		if t.Status != TranscriptError {
			return notFailed(op, "transcript", t.Status)
		}
		kind := JobTranscribe
		if t.RecordingID == "" { // its media was removed
			kind, t.BlobKey = JobDownload, ""
		}
		t.Error, t.ErrorCode, t.ErrorHint, t.ErrorRule, t.WordsKey = "", "", "", "", ""
		if err := e.moveTranscript(tx, &t, TranscriptRetried, nil); err != nil {
			return err
		}
		account, err := payerOf(tx, t)
		if err != nil {
			return err
		}
		return tx.Enqueue(e.newJob(kind, string(t.ID), string(account), t.UpdatedAt))
	})
	if err != nil {
		return Transcript{}, wrap(op, err)
	}
	return t, nil
}

// mayRetry returns CodeNotFound if the caller may not see a transcript, and CodeUnavailable if a URL can't be downloaded.
func (e *Engine) mayRetry(tx ReadTx, c Caller, t Transcript) error {
	if t.RecordingID != "" {
		_, _, err := visibleRecording(tx, c, t.RecordingID)
		return notFoundAs("", "transcript", err)
	}
	if t.UserID != c.UserID {
		return NotFound("", "transcript")
	}
	if e.fetcher == nil {
		return Errorf(CodeUnavailable, "", "Transcription of URLs is not configured.").WithHint("Set Config.Fetcher.")
	}
	return nil
}

// RetryOutput queues the generation of a failed output again. Errors: CodeNotFound, CodeConflict (it has not failed), CodeUnavailable.
func (e *Engine) RetryOutput(ctx context.Context, c Caller, id OutputID) (Output, error) {
	const op = "RetryOutput"
	if e.llm == nil {
		return Output{}, Errorf(CodeUnavailable, op, "Generation is not configured.").WithHint("Set Config.LLM.")
	}
	var o Output
	err := e.update(ctx, func(tx Tx) (err error) {
		if o, err = tx.Output(id); err != nil {
			return err
		}
		_, space, err := visibleRecording(tx, c, o.RecordingID)
		if err != nil {
			return notFoundAs("", "output", err)
		}
		if o.Status != OutputFailed {
			return notFailed(op, "output", o.Status)
		}
		o.Error, o.ErrorCode, o.ErrorHint, o.ErrorRule, o.UpdatedAt = "", "", "", "", e.now()
		if err := o.apply(OutputRetried); err != nil {
			return err
		}
		if err := tx.PutOutput(o); err != nil {
			return err
		}
		return tx.Enqueue(e.newJob(JobGenerate, string(id), string(space.AccountID), o.UpdatedAt))
	})
	if err != nil {
		return Output{}, wrap(op, err)
	}
	return o, nil
}

// RetryRender queues a failed render again. Errors: CodeNotFound, CodeConflict (it has not failed), CodeUnavailable.
func (e *Engine) RetryRender(ctx context.Context, c Caller, id RenderID) (Render, error) {
	const op = "RetryRender"
	if err := e.canRender(op); err != nil {
		return Render{}, err
	}
	var r Render
	err := e.update(ctx, func(tx Tx) (err error) {
		if r, err = tx.Render(id); err != nil {
			return err
		}
		_, space, err := visibleRecording(tx, c, r.RecordingID)
		if err != nil {
			return notFoundAs("", "render", err)
		}
		if r.Status != RenderFailed {
			return notFailed(op, "render", r.Status)
		}
		r.Progress, r.Message, r.ErrorCode, r.ErrorHint, r.ErrorRule, r.UpdatedAt = 0, "Waiting.", "", "", "", e.now()
		if err := r.apply(RenderRetried); err != nil {
			return err
		}
		if err := tx.PutRender(r); err != nil {
			return err
		}
		return tx.Enqueue(e.newJob(JobRender, string(id), string(space.AccountID), r.UpdatedAt))
	})
	if err != nil {
		return Render{}, wrap(op, err)
	}
	return r, nil
}

// RetryImport queues a failed import again. Errors: CodeNotFound, CodeConflict (it has not failed; the space is inactive; another recording
// or import has its external id, or the feed was imported again and has its item), CodeStorageLimit, CodeUnavailable.
func (e *Engine) RetryImport(ctx context.Context, c Caller, id ImportID) (Import, error) {
	const op = "RetryImport"
	if err := e.canImport(op); err != nil {
		return Import{}, err
	}
	var i Import
	err := e.update(ctx, func(tx Tx) (err error) {
		if i, err = tx.Import(id); err != nil {
			return err
		}
		if i.UserID != c.UserID {
			return NotFound(op, "import")
		}
		if i.Status != ImportError {
			return notFailed(op, "import", i.Status)
		}
		if _, err := importSpace(tx, c, i.SpaceID); err != nil {
			return err
		}
		if _, taken, err := importOfExternalID(tx, i.SpaceID, i.ExternalID); err != nil || taken {
			return firstError(err, Errorf(CodeConflict, op, "Another recording or import has the external id %.100q.", i.ExternalID))
		}
		if i.FeedItem != "" {
			if taken, err := isImported(tx, i.SpaceID, i.FeedItem); err != nil || taken {
				return firstError(err, Errorf(CodeConflict, op, "Another import has the item of the feed."))
			}
		}
		i.Progress, i.Error, i.ErrorCode, i.ErrorHint, i.ErrorRule, i.UpdatedAt = 0, "", "", "", "", e.now()
		if err := i.apply(ImportRetried); err != nil {
			return err
		}
		if err := tx.PutImport(i); err != nil {
			return err
		}
		return tx.Enqueue(e.newJob(JobImport, string(id), string(i.AccountID), i.UpdatedAt))
	})
	if err != nil {
		return Import{}, wrap(op, err)
	}
	return i, nil
}

func firstError(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

// afterClean waits while a job still removes the blobs of a failed try, because this job writes to the same place. A clean-up that waits for
// its time begins now. If it fails again, this job is retried later.
func (w *work) afterClean(ctx context.Context, clean queue.Kind) error {
	if err := w.hastenClean(ctx, clean); err != nil {
		return err
	}
	_, err := waitFor(ctx, w.e, func() (found bool, done bool, err error) {
		err = w.e.store.View(ctx, func(tx ReadTx) error {
			found = false
			return w.eachClean(tx, clean, func(j queue.Job) error {
				if found = true; j.Status.Waiting() && j.RunAt.After(w.e.now()) {
					return Errorf(CodeUnavailable, "Retry", "What an earlier try left is not removed yet.").Transient()
				}
				return nil
			})
		})
		return found, !found, err
	})
	return err
}

// hastenClean makes clean-ups of the job's row due.
func (w *work) hastenClean(ctx context.Context, clean queue.Kind) error {
	var late []queue.Job
	err := w.e.store.View(ctx, func(tx ReadTx) error {
		late = nil
		return w.eachClean(tx, clean, func(j queue.Job) error {
			if j.Status.Waiting() && j.RunAt.After(w.e.now()) {
				late = append(late, j)
			}
			return nil
		})
	})
	for _, j := range late {
		if err == nil {
			err = w.e.queue.Hasten(ctx, j.ID)
		}
		if errors.Is(err, queue.ErrNotWaiting) || CodeOf(err) == CodeNotFound {
			err = nil
		}
	}
	return err
}

// eachClean calls fn for the unfinished clean-ups of the job's row: the first one, and one that started again.
func (w *work) eachClean(tx ReadTx, clean queue.Kind, fn func(queue.Job) error) error {
	first := queue.Key(clean, w.job.Ref)
	for _, key := range []string{first, first + againMark} {
		j, err := tx.JobByKey(key)
		if err == nil {
			err = fn(j)
		}
		if err != nil && CodeOf(err) != CodeNotFound {
			return err
		}
	}
	return nil
}
