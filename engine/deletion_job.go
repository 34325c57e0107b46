package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine/queue"
)

const (
	// deleteBatch limits how many rows one transaction removes, so that it doesn't block others for long.
	deleteBatch = 100
	// againAfter is the wait before a job that must not be given up starts over, after all its attempts failed.
	againAfter = 10 * time.Minute
	// againMark ends the key of every second such job.
	againMark = ":again"
)

// runRecordingDelete removes everything about a deleted recording. Each step can be repeated. The deletion's own row goes last, with the
// return of the storage.
func (e *Engine) runRecordingDelete(ctx context.Context, w *work) (func(Tx) error, error) {
	id := DeletionID(w.job.Ref)
	var d Deletion
	err := e.store.View(ctx, func(tx ReadTx) (err error) {
		d, err = tx.Deletion(id)
		return err
	})
	if CodeOf(err) == CodeNotFound {
		return nil, nil // an earlier attempt removed everything, and its end was not written
	}
	for _, step := range []func(context.Context, *work, Deletion) error{
		e.awaitJobs, e.resetSummaries, e.deleteBlobs, e.deleteJobs, e.deleteRows, e.finishDeletion,
	} {
		if err == nil {
			err = step(ctx, w, d)
		}
	}
	return nil, err
}

// persistent returns run with errors that are retried, because a job that removes data must not be given up.
func persistent(run func(*Engine, context.Context, *work) (func(Tx) error, error)) func(*Engine, context.Context, *work) (func(Tx) error, error) {
	return func(e *Engine, ctx context.Context, w *work) (func(Tx) error, error) {
		finish, err := run(e, ctx, w)
		if err == nil || ctx.Err() != nil {
			return finish, err
		}
		return nil, Errorf(CodeOf(err), "Delete", "%s", Message(err)).Because(err).Transient()
	}
}

// startAgain enqueues a job once more that failed all its attempts, or that an operator canceled.
func (e *Engine) startAgain(tx Tx, j queue.Job, _ error) error {
	return tx.Enqueue(e.successor(j, e.now().Add(againAfter)))
}

// successor returns a job that continues an unfinished one. Their keys differ, so that both can exist.
func (e *Engine) successor(j queue.Job, at time.Time) queue.Job {
	next := e.jobAfter(j, j.Kind, j.Ref, j.Tenant, at)
	if next.Key == j.Key {
		next.Key += againMark
	}
	return next
}

// awaitJobs cancels the jobs about the recording. While one is still running, awaitJobs fails, because the job may yet write rows or
// blobs; the next attempt follows soon.
func (e *Engine) awaitJobs(ctx context.Context, _ *work, d Deletion) error {
	running, err := e.stopJobs(ctx, d)
	if err == nil && running > 0 {
		err = Errorf(CodeNotReady, "Delete", "Jobs of the recording are still running: %d.", running)
	}
	return err
}

// stopJobs cancels the unfinished jobs about a deleted recording, and returns how many are still running. It deletes clean-up jobs that
// wait, because the deletion does their work, and because they start again when they are canceled.
func (e *Engine) stopJobs(ctx context.Context, d Deletion) (running int, err error) {
	refs, err := e.jobRefs(ctx, d)
	if err != nil {
		return 0, err
	}
	for batch := range slices.Chunk(refs, deleteBatch) {
		var waiting []queue.Job
		n, err := e.queue.CancelAll(ctx, func(tx ReadTx) (others []queue.Job, err error) {
			jobs, err := jobsOf(tx, batch)
			waiting = nil
			for _, j := range jobs {
				if waitingCleanUp(j) {
					waiting = append(waiting, j)
				} else {
					others = append(others, j)
				}
			}
			return others, err
		})
		if err == nil && len(waiting) > 0 {
			err = e.update(ctx, func(tx Tx) error { return deleteWaiting(tx, waiting) })
		}
		if err != nil {
			return running, err
		}
		running += n
	}
	return running, nil
}

// waitingCleanUp reports whether a job cleans up, and waits.
func waitingCleanUp(j queue.Job) bool { return j.Class == queue.ClassMaintain && j.Status.Waiting() }

// deleteWaiting deletes those of the clean-up jobs that still wait.
func deleteWaiting(tx Tx, jobs []queue.Job) error {
	for _, j := range jobs {
		now, err := tx.Job(j.ID)
		if err == nil && waitingCleanUp(now) {
			err = tx.DeleteJob(j.ID)
		}
		if err != nil && CodeOf(err) != CodeNotFound {
			return err
		}
	}
	return nil
}

// jobsOf returns the jobs in any status about rows.
func jobsOf(tx ReadTx, refs []string) (jobs []queue.Job, err error) {
	for _, ref := range refs {
		found, err := tx.JobsOf(ref)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, found...)
	}
	return jobs, nil
}

// jobRefs returns the ids that jobs about a deleted recording have as their Ref.
func (e *Engine) jobRefs(ctx context.Context, d Deletion) (refs []string, err error) {
	err = e.store.View(ctx, func(tx ReadTx) error {
		refs = []string{string(d.RecordingID)}
		transcripts, err0 := tx.TranscriptsOf(d.RecordingID)
		for _, id := range transcripts {
			refs = append(refs, string(id))
		}
		outputs, err := tx.Outputs(d.RecordingID)
		for _, o := range outputs {
			refs = append(refs, string(o.ID))
		}
		renders, err2 := tx.Renders(d.RecordingID)
		for _, r := range renders {
			refs = append(refs, string(r.ID))
		}
		chats, err3 := tx.Chats(d.RecordingID)
		for _, c := range chats {
			refs = append(refs, string(c.ID))
		}
		speakers, err4 := tx.Speakers(d.SpaceID)
		for _, s := range speakers {
			refs = append(refs, summaryRef(s.ID, d.RecordingID))
		}
		return errors.Join(err0, err, err2, err3, err4)
	})
	if d.UploadID != "" {
		refs = append(refs, string(d.UploadID))
	}
	if d.ImportID != "" {
		refs = append(refs, string(d.ImportID))
	}
	return refs, err
}

// deleteBlobs removes the media, unless it is the program's, and the blobs of the transcript and of every render.
func (e *Engine) deleteBlobs(ctx context.Context, _ *work, d Deletion) error {
	prefixes := []string{restorePrefix(d.RecordingID)}
	if d.UploadID != "" {
		prefixes = append(prefixes, uploadPrefix(d.UploadID))
	}
	if d.ImportID != "" {
		prefixes = append(prefixes, importPrefix(d.ImportID))
	}
	err := e.store.View(ctx, func(tx ReadTx) error {
		transcripts, err := tx.TranscriptsOf(d.RecordingID)
		for _, id := range transcripts {
			prefixes = append(prefixes, transcriptPrefix(id))
		}
		renders, err2 := tx.Renders(d.RecordingID)
		for _, r := range renders {
			prefixes = append(prefixes, renderPrefix(r.ID))
		}
		return errors.Join(err, err2)
	})
	if err == nil && ownKey(d.BlobKey) { // an object of AddObject is the program's
		err = e.blobs.Delete(ctx, d.BlobKey)
	}
	for _, prefix := range prefixes {
		if err == nil {
			err = e.sweep(ctx, prefix, "")
		}
	}
	return err
}

// deleteJobs removes the jobs about the recording that are finished, or that clean up and wait to start again.
func (e *Engine) deleteJobs(ctx context.Context, w *work, d Deletion) error {
	refs, err := e.jobRefs(ctx, d)
	for batch := range slices.Chunk(refs, deleteBatch) {
		if err == nil {
			err = w.update(ctx, func(tx Tx) error { return deleteJobsOf(tx, batch) })
		}
	}
	return err
}

func deleteJobsOf(tx Tx, refs []string) error {
	jobs, err := jobsOf(tx, refs)
	for _, j := range jobs {
		if err == nil && (j.Status.Terminal() || waitingCleanUp(j)) {
			err = tx.DeleteJob(j.ID)
		}
	}
	return err
}

// deleteRows removes the rows about the recording, a batch per transaction.
func (e *Engine) deleteRows(ctx context.Context, w *work, d Deletion) error {
	for n := deleteBatch; n == deleteBatch; {
		if err := w.update(ctx, func(tx Tx) (err error) {
			n, err = tx.DeleteRecordingRows(d.RecordingID, deleteBatch)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// finishDeletion returns the storage to the account.
func (e *Engine) finishDeletion(ctx context.Context, w *work, d Deletion) error {
	return w.update(ctx, func(tx Tx) error {
		account, err := tx.Account(d.AccountID)
		if err == nil {
			account.release(d.Size)
			err = tx.PutAccount(account)
		}
		if err != nil && CodeOf(err) != CodeNotFound {
			return err
		}
		if isDirect(d.BlobKey) { // its address may still be valid, and can store the bytes again
			late := e.jobAfter(w.job, JobUploadExpire, string(d.UploadID), string(d.AccountID), time.Time{})
			late.Key, late.RunAt = late.Key+":deleted", late.CreatedAt.Add(uploadKeep)
			if err := tx.Enqueue(late); err != nil {
				return err
			}
		}
		return tx.DeleteDeletion(d.ID)
	})
}
