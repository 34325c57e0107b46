package engine

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/soundstage-dev/soundstage/engine/input"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

func importPrefix(id ImportID) string { return "imports/" + string(id) + "/" }

// importKey returns the blob key of the media that a job downloads in a generation.
func importKey(id ImportID, job queue.ID, generation int) string {
	return blobKey(importPrefix(id), "media", job, generation, "")
}

// runImport downloads the media of an import and creates its recording. Each attempt starts from the beginning: blobs of earlier
// generations are removed. Blobs of later generations stay, because a worker that was paused may resume after a later one has finished
// the import.
func (e *Engine) runImport(ctx context.Context, w *work) (func(Tx) error, error) {
	if err := e.canImport("Import"); err != nil {
		return nil, err
	}
	if err := w.afterClean(ctx, JobImportClean); err != nil {
		return nil, err
	}
	var i Import
	var room int64
	err := e.store.View(ctx, func(tx ReadTx) (err error) {
		i, room, err = importCapacity(tx, ImportID(w.job.Ref))
		return err
	})
	if err != nil {
		return nil, err
	}
	for generation := range w.job.Generation {
		if err := e.blobs.Delete(ctx, importKey(i.ID, w.job.ID, generation)); err != nil {
			return nil, err
		}
	}
	got, err := e.download(ctx, importKey(i.ID, w.job.ID, w.job.Generation), FetchRequest{
		URL: i.URL, MaxSize: min(MaxUploadSize, room), Progress: e.importProgress(ctx, w, i.ID),
	})
	if CodeOf(err) == CodeTooLarge && room < MaxUploadSize {
		err = Errorf(CodeStorageLimit, "Import", "storage limit exceeded").Because(err)
	}
	if err != nil {
		return nil, err
	}
	if err := w.writeProgress(ctx, i.ID, downloadShare); err != nil {
		e.deleteBlob(ctx, got.Blob.Key) // the import may be over, so that nothing else removes it
		return nil, err
	}
	info, err := e.probe(ctx, got.Blob.Key)
	if err != nil {
		return nil, err
	}
	return func(tx Tx) error {
		r := e.importedRecording(i.ID)
		r.BlobKey, r.Size, r.Duration, r.HasVideo = got.Blob.Key, got.Blob.Size, info.Duration.Truncate(time.Microsecond), info.Video != nil
		r.Title = cmp.Or(i.Title, input.Title(got.Title), i.fileTitle(got.Filename), input.HostTitle(i.URL))
		return e.finishImport(tx, i.ID, r)
	}, nil
}

// importedRecording returns the recording of an import, which begins now.
func (e *Engine) importedRecording(id ImportID) Recording {
	return e.recordingFromNow(RecordingID(e.idOf("recording", string(id))), TranscriptID(e.idOf("transcript", string(id))))
}

// startImport moves the job's import to ImportProcessing, if there is storage left for it.
func (e *Engine) startImport(ctx context.Context, w *work) error {
	return w.update(ctx, func(tx Tx) error {
		i, _, err := importCapacity(tx, ImportID(w.job.Ref))
		if err != nil || i.Status != ImportQueued {
			return err
		}
		i.UpdatedAt = e.now()
		if err := i.apply(ImportStarted); err != nil {
			return err
		}
		return tx.PutImport(i)
	})
}

// importCapacity returns an import and how many bytes of storage it may use: at least one, else CodeStorageLimit.
func importCapacity(tx ReadTx, id ImportID) (i Import, room int64, err error) {
	if i, err = tx.Import(id); err != nil {
		return i, 0, err
	}
	account, err := tx.Account(i.AccountID)
	if err != nil {
		return i, 0, err
	}
	if room = account.StorageHardLimit - account.StorageUsed; room <= 0 {
		return i, 0, account.reserve(1)
	}
	return i, room, nil
}

// probe returns what is in a blob, or an error when it has no speech to transcribe.
func (e *Engine) probe(ctx context.Context, key string) (MediaInfo, error) {
	src, err := e.source(ctx, key)
	if err != nil {
		return MediaInfo{}, err
	}
	info, err := e.media.Probe(ctx, src)
	if err == nil {
		err = info.CheckSpeech()
	}
	return info, err
}

// finishImport reserves the storage, creates the recording, and completes the import.
func (e *Engine) finishImport(tx Tx, id ImportID, r Recording) error {
	i, err := tx.Import(id)
	if err != nil {
		return err
	}
	space, err := activeSpace(tx, Caller{UserID: i.UserID}, i.SpaceID)
	if err != nil {
		return err
	}
	account, err := tx.Account(i.AccountID)
	if err != nil {
		return err
	}
	if err := account.reserve(r.Size); err != nil {
		return err
	}
	if err := tx.PutAccount(account); err != nil {
		return err
	}
	r.ImportID, r.RSS, r.EpisodeNumber, r.SeasonNumber, r.Tags = i.ID, i.RSS, i.EpisodeNumber, i.SeasonNumber, i.Tags
	if err := e.addRecording(tx, i.UserID, &space, &r, i.recording()); err != nil {
		return err
	}
	i.Title, i.Progress, i.Size, i.RecordingID, i.UpdatedAt = r.Title, 1, r.Size, r.ID, e.now()
	if err := i.apply(ImportFinished); err != nil {
		return err
	}
	return tx.PutImport(i)
}

// failImport ends an import whose job failed permanently or was canceled.
func (e *Engine) failImport(tx Tx, j queue.Job, cause error) error {
	i, err := tx.Import(ImportID(j.Ref))
	if err != nil {
		return err
	}
	event := ImportFailed
	if errors.Is(cause, queue.ErrCanceled) {
		event = ImportStopped
	}
	i.Error, i.UpdatedAt = Message(cause), e.now()
	i.ErrorCode, i.ErrorHint, i.ErrorRule = details(cause)
	if err := i.apply(event); err != nil {
		return err
	}
	if err := tx.PutImport(i); err != nil {
		return err
	}
	return tx.Enqueue(e.jobAfter(j, JobImportClean, j.Ref, j.Tenant, e.now()))
}

// runImportClean removes the blobs of a failed import.
func (e *Engine) runImportClean(ctx context.Context, w *work) (func(Tx) error, error) {
	return nil, e.sweep(ctx, importPrefix(ImportID(w.job.Ref)), "")
}
