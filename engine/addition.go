package engine

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/input"
	"github.com/soundstage-dev/soundstage/engine/media"
)

// addition is one call of AddReader.
type addition struct {
	e      *Engine
	op     string
	caller Caller
	want   NewFile
	body   *bufio.Reader
	file   fs.File     // the body, if it is a file; else nil
	before fs.FileInfo // of the file
	upload Upload
	room   int64 // storage left
	made   Recording
}

// newAddition validates the request.
func (e *Engine) newAddition(op string, c Caller, r io.Reader, n NewFile) (*addition, error) {
	if err := e.canTranscribe(op); err != nil {
		return nil, err
	}
	if r == nil {
		return nil, Errorf(CodeInvalid, op, "The reader is nil.").WithHint("Check the error of what opened it.")
	}
	if n.MaxSize < 0 {
		return nil, Errorf(CodeInvalid, op, "MaxSize must not be negative (got %d).", n.MaxSize).WithHint(fmt.Sprintf("0 is the default, %d bytes.", int64(MaxUploadSize)))
	}
	a := &addition{e: e, op: op, caller: c, want: n, body: bufio.NewReaderSize(r, 4<<10)}
	if f, ok := r.(fs.File); ok {
		info, err := f.Stat()
		if err != nil {
			return nil, Errorf(CodeInvalid, op, "The file can't be read.").Because(err)
		}
		if info.IsDir() {
			return nil, Errorf(CodeInvalid, op, "%q is a folder.", info.Name()).WithHint("Add its files one by one.")
		}
		a.want.Name = cmp.Or(n.Name, info.Name())
		if info.Mode().IsRegular() {
			a.file, a.before = f, info
		}
	}
	a.want.Name = input.FileName(a.want.Name)
	a.want.SpaceID = SpaceID(cmp.Or(string(n.SpaceID), string(c.DefaultSpaceID)))
	if a.want.MaxSize == 0 || a.want.MaxSize > MaxUploadSize {
		a.want.MaxSize = MaxUploadSize
	}
	if n.ObjectID != "" {
		return nil, Errorf(CodeInvalid, op, "ObjectID must be empty.").WithHint("Use CreateRecording for uploads.")
	}
	if err := input.CheckLine(op, "the file's name", a.want.Name); err != nil {
		return nil, err
	}
	return a, n.validateSettings(op)
}

// begin writes an upload that owns the bytes until the recording does, so that a crash leaves nothing behind. If the space has a recording
// with the external id, begin returns that instead.
func (a *addition) begin(ctx context.Context) (first Recording, found bool, err error) {
	now := a.e.now()
	a.upload = Upload{
		ID: UploadID("obj_" + strings.ReplaceAll(a.e.ids.NewID("upload"), "-", "")), UserID: a.caller.UserID, SpaceID: a.want.SpaceID,
		Filename: a.want.Name, Status: uploadMachine.Initial(), CreatedAt: now, ExpiresAt: now.Add(uploadKeep),
	}
	err = a.e.update(ctx, func(tx Tx) error {
		space, err := activeSpace(tx, a.caller, a.want.SpaceID)
		if err != nil {
			return err
		}
		if first, found, err = recordingOf(tx, space.ID, a.want.ExternalID); err != nil || found {
			return err
		}
		account, err := tx.Account(space.AccountID)
		if err != nil {
			return err
		}
		a.upload.AccountID, a.room = account.ID, account.StorageHardLimit-account.StorageUsed
		if err := a.checkSize(account); err != nil {
			return err
		}
		if err := tx.PutUpload(a.upload); err != nil {
			return err
		}
		return tx.Enqueue(a.e.newJob(JobUploadExpire, string(a.upload.ID), string(account.ID), a.upload.ExpiresAt))
	})
	return first, found, err
}

// recordingOf returns the recording of a space with an external id.
func recordingOf(tx ReadTx, space SpaceID, id string) (Recording, bool, error) {
	if id == "" {
		return Recording{}, false, nil
	}
	r, err := tx.RecordingByExternalID(space, id)
	if CodeOf(err) == CodeNotFound {
		return Recording{}, false, nil
	}
	return r, err == nil, err
}

// checkSize refuses a file that is known to be empty or too large before it is read.
func (a *addition) checkSize(account Account) error {
	if a.file == nil {
		return account.reserve(1)
	}
	switch size := a.before.Size(); {
	case size == 0:
		return a.empty()
	case size > a.want.MaxSize:
		return a.tooLarge()
	default:
		return account.reserve(size)
	}
}

func (a *addition) empty() error {
	return Errorf(CodeUnprocessable, a.op, "The file %q is empty.", a.want.Name)
}

func (a *addition) tooLarge() error {
	return Errorf(CodeTooLarge, a.op, "The file %q is over the limit of %d bytes.", a.want.Name, a.want.MaxSize).
		WithHint("Add a smaller file, for example only its audio.")
}

// receive stores the bytes.
func (a *addition) receive(ctx context.Context) error {
	head, err := a.body.Peek(512)
	if len(head) == 0 && errors.Is(err, io.EOF) {
		return a.empty()
	}
	a.upload.ContentType = media.TypeOf(head, a.want.Name)
	key := uploadPrefix(a.upload.ID) + a.e.ids.NewID("blob")
	info, err := a.e.storeBlob(ctx, key, BlobMeta{ContentType: a.upload.ContentType, MaxSize: min(a.want.MaxSize, a.room)}, a.body)
	switch {
	case CodeOf(err) == CodeTooLarge && a.room < a.want.MaxSize:
		return Errorf(CodeStorageLimit, a.op, "storage limit exceeded").Because(err)
	case CodeOf(err) == CodeTooLarge:
		return a.tooLarge()
	case err != nil:
		return err
	}
	a.upload.BlobKey, a.upload.Size, a.upload.StoredSize, a.upload.SHA256 = key, info.Size, info.Size, info.SHA256
	return a.checkUnchanged()
}

// checkUnchanged returns CodeConflict if the file was written while it was read.
func (a *addition) checkUnchanged() error {
	if a.file == nil {
		return nil
	}
	after, err := a.file.Stat()
	if err != nil {
		return Errorf(CodeInvalid, a.op, "The file can't be read.").Because(err)
	}
	if after.Size() != a.before.Size() || !after.ModTime().Equal(a.before.ModTime()) || a.upload.StoredSize != after.Size() {
		return Errorf(CodeConflict, a.op, "The file %q changed while it was read.", a.want.Name).WithHint("Add it again when it is complete.")
	}
	return nil
}

// finish creates the recording of the received bytes, or removes them after an error.
func (a *addition) finish(ctx context.Context, err error) (Recording, error) {
	var first Recording
	found := false
	if err == nil {
		err = a.e.update(ctx, func(tx Tx) (err error) {
			first, found, err = a.create(tx)
			return err
		})
	}
	if err == nil && !found {
		return a.made, nil
	}
	if err != nil && a.committed(ctx) {
		return a.made, nil
	}
	a.discard(ctx)
	return first, wrap(a.op, err)
}

// create writes the recording, unless another call has added the same external id meanwhile.
func (a *addition) create(tx Tx) (first Recording, found bool, err error) {
	space, err := activeSpace(tx, a.caller, a.want.SpaceID)
	if err != nil {
		return Recording{}, false, err
	}
	if first, found, err = recordingOf(tx, space.ID, a.want.ExternalID); err != nil || found {
		return first, found, err
	}
	account, err := tx.Account(a.upload.AccountID)
	if err != nil {
		return Recording{}, false, err
	}
	if err := account.reserve(a.upload.Size); err != nil {
		return Recording{}, false, err
	}
	if err := tx.PutAccount(account); err != nil {
		return Recording{}, false, err
	}
	u, err := tx.Upload(a.upload.ID)
	if err != nil {
		return Recording{}, false, err
	}
	u.ContentType, u.BlobKey, u.Size, u.StoredSize, u.SHA256 = a.upload.ContentType, a.upload.BlobKey, a.upload.Size, a.upload.StoredSize, a.upload.SHA256
	if err := errors.Join(u.apply(UploadReceived), u.apply(UploadTaken)); err != nil {
		return Recording{}, false, err
	}
	if err := tx.PutUpload(u); err != nil {
		return Recording{}, false, err
	}
	r := a.e.newRecording()
	r.UploadID, r.Tags, r.BlobKey, r.Size = u.ID, a.want.Tags, u.BlobKey, u.Size
	r.Title = cmp.Or(strings.TrimSpace(a.want.Title), titleOf(a.want.Name))
	a.made = r
	return Recording{}, false, a.e.addRecording(tx, a.caller.UserID, &space, &a.made, a.want.NewRecording)
}

// committed reports whether the recording was written although the answer of the store was lost.
func (a *addition) committed(ctx context.Context) bool {
	u, err := a.e.GetUpload(context.WithoutCancel(ctx), a.upload.ID)
	return err == nil && u.Status == UploadUsed
}

// discardTimeout limits how long the clean-up of a failed call may take; the job of the upload does the rest.
const discardTimeout = 10 * time.Second

// discard removes the bytes, and ends the upload.
func (a *addition) discard(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), discardTimeout)
	defer cancel()
	err := a.e.update(ctx, func(tx Tx) error { return expireUpload(tx, a.upload.ID) })
	if err == nil || CodeOf(err) == CodeConflict {
		err = a.e.sweepUpload(ctx, a.upload.ID)
	}
	if err != nil {
		a.e.log.Warn("bytes of a failed addition not removed; the job of the upload removes them", "upload", a.upload.ID, "err", err)
	}
}
