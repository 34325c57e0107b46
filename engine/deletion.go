package engine

import (
	"context"
	"time"
)

// DeletionID identifies a Deletion.
type DeletionID string

// Deletion is what is left of a deleted recording until JobRecordingDelete has removed everything about it.
type Deletion struct {
	ID          DeletionID // unrelated to the recording's, so that its job doesn't keep that
	RecordingID RecordingID
	SpaceID     SpaceID
	AccountID   AccountID // who gets the storage back
	UploadID    UploadID  // "" unless the recording was created from an upload
	ImportID    ImportID  // "" unless the recording was created by an import
	BlobKey     string    // of the media
	Size        int64     // bytes of storage that the account gets back
	CreatedAt   time.Time
}

// DeleteRecording deletes a recording of a space that the caller belongs to, in any status, with everything about it: its media, upload,
// and import, the transcript with its translations, outputs, renders, suggestions, assigned labels, every chat that uses it, and its
// entries in the search index. When DeleteRecording returns, nothing of it can be read, its external id is free, and its jobs are
// canceled. JobRecordingDelete then removes the rows and bytes and returns the storage to the account; it continues after a crash.
// Deliveries of webhooks stay, with their bodies. Errors: CodeNotFound, also for a deleted recording.
func (e *Engine) DeleteRecording(ctx context.Context, c Caller, id RecordingID) error {
	const op = "DeleteRecording"
	var d Deletion
	err := e.update(ctx, func(tx Tx) error {
		r, space, err := visibleRecording(tx, c, id)
		if err != nil {
			return err
		}
		d, err = e.beginDeletion(tx, r, space)
		return err
	})
	if err != nil {
		return wrap(op, err)
	}
	if _, err := e.stopJobs(ctx, d); err != nil {
		e.log.Warn("jobs of a deleted recording not canceled; its deletion cancels them", "err", err)
	}
	return nil
}

// beginDeletion hides a recording and queues the removal of everything about it. Rows about the recording are reached only through it,
// except its upload and import, which go at once, and its documents, which DeleteRecording hides.
func (e *Engine) beginDeletion(tx Tx, r Recording, space Space) (Deletion, error) {
	d := Deletion{
		ID: DeletionID(e.ids.NewID("deletion")), RecordingID: r.ID, SpaceID: r.SpaceID, AccountID: space.AccountID,
		UploadID: r.UploadID, ImportID: r.ImportID, BlobKey: r.BlobKey, Size: r.Size, CreatedAt: e.now(),
	}
	if err := d.setPayer(tx); err != nil {
		return Deletion{}, err
	}
	for _, write := range []func() error{
		func() error { return tx.PutDeletion(d) },
		func() error { return tx.DeleteRecording(r.ID) },
		func() error { return tx.DeleteUpload(r.UploadID) },
		func() error { return tx.DeleteImport(r.ImportID) },
		func() error { return e.recordingDeleted(tx, r) },
		func() error {
			return tx.Enqueue(e.newJob(JobRecordingDelete, string(d.ID), string(d.AccountID), d.CreatedAt))
		},
	} {
		if err := write(); err != nil {
			return Deletion{}, err
		}
	}
	return d, nil
}

// checkDeleted returns CodeConflict while a recording with this id is being removed, because a new one would lose its rows and bytes.
func checkDeleted(tx ReadTx, id RecordingID) error {
	_, err := tx.DeletionOf(id)
	switch {
	case err == nil:
		return Errorf(CodeConflict, "", "The recording %s is being deleted.", id).WithHint("Try again when its deletion has ended.")
	case CodeOf(err) == CodeNotFound:
		return nil
	}
	return err
}

// keepBlob removes a blob that was just stored if the recording that it is for was deleted meanwhile, and then returns CodeNotFound. A
// worker that lost its lease may store a blob after the deletion has ended. recording returns the recording, or "" for none.
func (e *Engine) keepBlob(ctx context.Context, key string, recording func(ReadTx) (RecordingID, error)) error {
	err := e.store.View(context.WithoutCancel(ctx), func(tx ReadTx) error {
		id, err := recording(tx)
		if err == nil && id != "" {
			_, err = tx.Recording(id)
		}
		return err
	})
	if CodeOf(err) == CodeNotFound {
		e.deleteBlob(ctx, key)
	}
	return err
}

// keepTranscriptBlob is keepBlob for a blob of a transcript.
func (e *Engine) keepTranscriptBlob(ctx context.Context, key string, id TranscriptID) error {
	return e.keepBlob(ctx, key, func(tx ReadTx) (RecordingID, error) {
		t, err := tx.Transcript(id)
		return t.RecordingID, err
	})
}

// setPayer sets the account and the size of the storage that was reserved for the recording: those of its upload or import, if it has one.
func (d *Deletion) setPayer(tx ReadTx) error {
	var err error
	switch {
	case d.UploadID != "":
		var u Upload
		if u, err = tx.Upload(d.UploadID); err == nil {
			d.AccountID, d.Size = u.AccountID, u.Size
		}
	case d.ImportID != "":
		var i Import
		if i, err = tx.Import(d.ImportID); err == nil {
			d.AccountID, d.Size = i.AccountID, i.Size
		}
	}
	if CodeOf(err) == CodeNotFound { // a repair took it away
		return nil
	}
	return err
}
