package engine

import (
	"cmp"
	"context"
	"errors"
	"io"
	"mime"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/blob"
	"github.com/soundstage-dev/soundstage/engine/input"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// UploadID identifies an Upload; it begins with "obj_".
type UploadID string

const (
	// MaxUploadSize is the largest file that an upload may declare, in bytes (specification, "Limits": 10 GB).
	MaxUploadSize = 10_000_000_000
	// UploadTTL is how long a reserved object waits for its bytes (specification, "Limits").
	UploadTTL = 1800 * time.Second
	// uploadKeep is how long stored bytes wait for CreateRecording, from the upload's creation.
	uploadKeep = 24 * time.Hour
)

// Upload is a reserved object: storage for the bytes of one file, from which a recording can be created.
type Upload struct {
	ID          UploadID
	UserID      UserID
	AccountID   AccountID
	SpaceID     SpaceID // default space of its recording
	Filename    string  // base name, without folders
	ContentType string  // MIME type that the PUT must have
	Size        int64   // declared bytes, 1 to MaxUploadSize
	Title       string  // of the recording; may be ""
	Status      UploadStatus
	StoredSize  int64    // bytes received; 0 before
	BlobKey     string   // of the bytes; "" before they are received, unless PresignUpload chose it
	SHA256      [32]byte // of the bytes; before they are received, what NewDirectUpload declared
	CreatedAt   time.Time
	ExpiresAt   time.Time // end of the signed URL's validity
}

// NewUpload is the request for an upload.
type NewUpload struct {
	Filename    string  // required
	ContentType string  // required
	Size        int64   // required, bytes
	SpaceID     SpaceID // default the caller's default space
	Title       string
}

// Validate returns what is wrong with the request, as CodeInvalid, or CodeTooLarge over MaxUploadSize.
func (n NewUpload) Validate() error {
	const op = "CreateUpload"
	switch {
	case strings.TrimSpace(n.Filename) == "":
		return Errorf(CodeInvalid, op, "filename is required.").WithRule("upload.filename-required")
	case strings.TrimSpace(n.ContentType) == "":
		return Errorf(CodeInvalid, op, "content_type is required.").WithRule("upload.content-type-required")
	case n.Size <= 0:
		return Errorf(CodeInvalid, op, "content_size must be the file's size in bytes, at least 1.").WithRule("upload.content-size-required")
	case n.Size > MaxUploadSize:
		return Errorf(CodeTooLarge, op, "content_size is over the limit of 10 GB.").WithRule("upload.too-large").
			WithHint("Send a smaller file, for example only its audio.")
	}
	if _, _, err := mime.ParseMediaType(n.ContentType); err != nil || !strings.Contains(n.ContentType, "/") || transcript.HasControl(n.ContentType) {
		return Errorf(CodeInvalid, op, "content_type is not a MIME type.").WithHint("Use for example audio/wav or video/mp4.")
	}
	if err := input.CheckLine(op, "filename", n.Filename); err != nil {
		return err
	}
	return input.CheckLine(op, "title", n.Title)
}

// CreateUpload reserves an object and its storage. Errors: CodeInvalid, CodeTooLarge, CodeNotFound (the space), CodeConflict (the space
// is inactive), CodeStorageLimit.
func (e *Engine) CreateUpload(ctx context.Context, c Caller, n NewUpload) (Upload, error) {
	const op = "CreateUpload"
	if err := n.Validate(); err != nil {
		return Upload{}, err
	}
	u, err := e.newUpload(c, n)
	if err != nil {
		return Upload{}, wrap(op, err)
	}
	err = e.update(ctx, func(tx Tx) error { return e.reserveUpload(tx, c, &u) })
	return u, wrap(op, err)
}

// newUpload returns a valid upload that begins now.
func (e *Engine) newUpload(c Caller, n NewUpload) (Upload, error) {
	now := e.now()
	u := Upload{
		ID: UploadID("obj_" + strings.ReplaceAll(e.ids.NewID("upload"), "-", "")), UserID: c.UserID, AccountID: c.AccountID,
		SpaceID: SpaceID(cmp.Or(string(n.SpaceID), string(c.DefaultSpaceID))), Filename: input.FileName(n.Filename),
		ContentType: strings.Trim(n.ContentType, " "), // what a client sends never has blanks around it (RFC 9110, section 5.5)
		Size:        n.Size, Title: strings.TrimSpace(n.Title),
		Status: uploadMachine.Initial(), CreatedAt: now, ExpiresAt: now.Add(UploadTTL),
	}
	if u.Filename == "/" || u.Filename == "." || u.Filename == ".." {
		return Upload{}, Errorf(CodeInvalid, "", "filename has no file name (got %q).", n.Filename)
	}
	return u, nil
}

// reserveUpload writes a new upload, reserves its storage, and queues its expiry. The space's account pays; it may differ from the
// caller's.
func (e *Engine) reserveUpload(tx Tx, c Caller, u *Upload) error {
	space, err := activeSpace(tx, c, u.SpaceID)
	if err != nil {
		return err
	}
	account, err := tx.Account(space.AccountID)
	if err != nil {
		return err
	}
	if err := account.reserve(u.Size); err != nil {
		return err
	}
	u.AccountID = account.ID
	if err := tx.PutAccount(account); err != nil {
		return err
	}
	if err := tx.PutUpload(*u); err != nil {
		return err
	}
	return tx.Enqueue(e.newJob(JobUploadExpire, string(u.ID), string(account.ID), u.ExpiresAt))
}

// ReceiveUpload stores the bytes of an upload, all or nothing. The caller has checked the signed URL. Sending the bytes again replaces
// them until a recording is created. Fewer bytes than declared are stored, and CreateRecording will refuse them; more are CodeTooLarge.
// Errors: CodeNotFound, CodeForbidden (the URL has expired), CodeConflict (a recording was created from it, or PresignUpload created it),
// CodeTooLarge, CodeNoSpace.
func (e *Engine) ReceiveUpload(ctx context.Context, id UploadID, body io.Reader) (Upload, error) {
	const op = "ReceiveUpload"
	var u Upload
	err := e.store.View(ctx, func(tx ReadTx) (err error) {
		u, err = tx.Upload(id)
		return err
	})
	if err == nil {
		err = checkReceivable(u, e.now())
	}
	if err != nil {
		return Upload{}, wrap(op, err)
	}
	key := uploadPrefix(id) + e.ids.NewID("blob")
	info, err := e.storeBlob(ctx, key, BlobMeta{ContentType: u.ContentType, MaxSize: u.Size}, body)
	if err != nil {
		return Upload{}, wrap(op, err)
	}
	var replaced string
	err = e.update(ctx, func(tx Tx) error {
		if u, err = tx.Upload(id); err != nil {
			return err
		}
		if err := u.apply(UploadReceived); err != nil {
			return err
		}
		replaced, u.BlobKey, u.StoredSize, u.SHA256 = u.BlobKey, key, info.Size, info.SHA256
		return tx.PutUpload(u)
	})
	unused := replaced
	if err != nil {
		unused = key
		if now, readErr := e.GetUpload(context.WithoutCancel(ctx), id); readErr != nil || now.BlobKey == key {
			unused = "" // it may be committed although its answer was lost; the clean-up of the upload decides
		}
	}
	if unused != "" {
		e.deleteBlob(ctx, unused)
	}
	return u, wrap(op, err)
}

// checkReceivable returns an error for an upload that takes no more bytes.
func checkReceivable(u Upload, now time.Time) error {
	if u.Status == UploadExpired || !now.Before(u.ExpiresAt) {
		return Errorf(CodeForbidden, "", "The upload's address has expired.").WithRule("upload.expired").WithHint("Create a new upload.")
	}
	if u.Status == UploadUsed {
		return Errorf(CodeConflict, "", "A recording was already created from this upload.").WithHint("Create a new upload.")
	}
	if u.direct() {
		return Errorf(CodeConflict, "", "The bytes of this upload go directly to the storage.").WithHint("Send them to the address of PresignUpload.")
	}
	return nil
}

// storeBlob copies body to a new blob. After an error there is no blob.
func (e *Engine) storeBlob(ctx context.Context, key string, meta BlobMeta, body io.Reader) (BlobInfo, error) {
	w, err := e.blobs.Create(ctx, key, meta)
	if err != nil {
		return BlobInfo{}, err
	}
	defer func() { _ = w.Abort() }()
	if err := blob.Copy(ctx, w, body); err != nil {
		return BlobInfo{}, err
	}
	return w.Commit()
}

// deleteBlob removes a blob that is no longer referenced. A failure is only logged, because the clean-up of the upload or transcript
// removes the blob later.
func (e *Engine) deleteBlob(ctx context.Context, key string) {
	if err := e.blobs.Delete(context.WithoutCancel(ctx), key); err != nil {
		e.log.Warn("blob not deleted", "key", key, "err", err)
	}
}

func uploadPrefix(id UploadID) string { return "uploads/" + string(id) + "/" }

// GetUpload returns an upload by its id. It takes no Caller, because a signed URL is enough to use the upload.
func (e *Engine) GetUpload(ctx context.Context, id UploadID) (u Upload, err error) {
	err = e.store.View(ctx, func(tx ReadTx) error {
		u, err = tx.Upload(id)
		return err
	})
	return u, wrap("GetUpload", err)
}

// runUploadExpire ends an upload: when the signed URL expires without bytes, or a day after its creation with bytes that no recording
// uses. It releases the storage and removes every blob that no recording uses. While more bytes may arrive, or an operator hastened the job,
// another job follows.
func (e *Engine) runUploadExpire(ctx context.Context, w *work) (func(Tx) error, error) {
	id := UploadID(w.job.Ref)
	u, err := e.GetUpload(ctx, id)
	if CodeOf(err) == CodeNotFound { // its recording was deleted, but not the address that stores bytes
		return e.uploadExpireAgain(w, w.job.CreatedAt), e.sweep(ctx, uploadPrefix(id), "")
	}
	if err != nil {
		return nil, err
	}
	arrived, err := e.arrived(ctx, u)
	if err != nil {
		return nil, err
	}
	again := e.uploadExpireAgain(w, u.CreatedAt)
	if arrived && again != nil {
		return again, nil
	}
	if !u.direct() && !isCopied(u.BlobKey) && u.Status != UploadExpired {
		again = nil // no request to its address can still store bytes; an expired upload doesn't know whether it was direct
	}
	if u.Status == UploadReserved || u.Status == UploadStored {
		if err := w.update(ctx, func(tx Tx) error { return expireUpload(tx, id) }); err != nil && CodeOf(err) != CodeConflict {
			return nil, err
		}
	}
	return again, e.sweepUpload(ctx, id)
}

// uploadExpireAgain returns a function that enqueues the last job of an upload that began at a time, or nil if this is the last one.
func (e *Engine) uploadExpireAgain(w *work, began time.Time) func(Tx) error {
	last := began.Add(uploadKeep)
	if !e.now().Before(last) {
		return nil
	}
	return func(tx Tx) error {
		next := e.successor(w.job, last)
		next.CreatedAt = w.job.CreatedAt // by which an upload without a row is known to be over
		return tx.Enqueue(next)
	}
}

// sweepUpload removes the blobs of an upload that no recording uses.
func (e *Engine) sweepUpload(ctx context.Context, id UploadID) error {
	u, err := e.GetUpload(ctx, id)
	if err != nil {
		return err
	}
	keep := ""
	if u.Status == UploadUsed {
		keep = u.BlobKey
	}
	return e.sweep(ctx, uploadPrefix(id), keep)
}

// expireUpload expires an upload and releases its storage.
func expireUpload(tx Tx, id UploadID) error {
	u, err := tx.Upload(id)
	if err != nil {
		return err
	}
	if err := u.apply(UploadLapsed); err != nil {
		return err
	}
	account, err := tx.Account(u.AccountID)
	if err != nil {
		return err
	}
	account.release(u.Size)
	u.BlobKey, u.StoredSize = "", 0
	return errors.Join(tx.PutAccount(account), tx.PutUpload(u))
}

// sweep removes every blob under a prefix except one.
func (e *Engine) sweep(ctx context.Context, prefix, keep string) error {
	var errs []error
	err := e.blobs.List(ctx, prefix, func(info BlobInfo) error {
		if info.Key != keep {
			errs = append(errs, e.blobs.Delete(ctx, info.Key))
		}
		return nil
	})
	return errors.Join(append(errs, err)...)
}
