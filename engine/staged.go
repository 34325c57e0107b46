package engine

import (
	"context"
	"errors"
	"path"
	"strings"
)

// This file is about direct uploads whose bytes can be sent again until CreateRecording. Their address writes a staged blob. CreateRecording
// has the storage copy it to a key that no address writes, and verifies the copy, so that no bytes can change after their verification.

const (
	// stagedMark begins the last segment of the keys that addresses write again and again, and copiedMark that of their copies.
	stagedMark, copiedMark = "staged-", "copied-"
	// maxCopies limits how often CreateRecording copies bytes that are replaced meanwhile.
	maxCopies = 5
)

func isStaged(key string) bool { return strings.HasPrefix(path.Base(key), stagedMark) && ownKey(key) }
func isCopied(key string) bool { return strings.HasPrefix(path.Base(key), copiedMark) && ownKey(key) }

// arrival is the bytes of a direct upload, which were verified. It is zero for an upload without.
type arrival struct {
	BlobInfo
	staged string // key of what was copied; "" for bytes that are where the client sent them
}

// copyStaged copies the bytes of an upload that can still be replaced, and verifies the copy. After an error there is no copy. Missing bytes
// are no error.
func (e *Engine) copyStaged(ctx context.Context, u Upload) (arrival, error) {
	if e.copier == nil {
		return arrival{}, errNoCopies
	}
	for range maxCopies {
		info, err := e.blobs.Stat(ctx, u.BlobKey)
		switch {
		case CodeOf(err) == CodeNotFound: // also if another call has just created the recording
			return arrival{}, nil
		case err == nil && info.Size != u.Size:
			err = wrongSize(info.Size, u.Size)
		}
		if err != nil {
			return arrival{}, sendAgain(err)
		}
		key := uploadPrefix(u.ID) + copiedMark + e.ids.NewID("blob")
		if _, err = e.copier.Copy(ctx, u.BlobKey, key); err == nil {
			info, err = e.verifyObject(ctx, key, u.Size, u.SHA256)
		}
		if err == nil {
			return arrival{info, u.BlobKey}, nil
		}
		e.deleteBlob(ctx, key)
		if code := CodeOf(err); code != CodeConflict && code != CodeNotFound {
			return arrival{}, sendAgain(err)
		}
	}
	return arrival{}, Errorf(CodeUnprocessable, "", "The bytes were sent again while the recording was created.").WithRule("recording.bytes-wrong").
		WithHint("Create the recording when the last PUT has ended.")
}

// sendAgain gives the error of wrong bytes the hint for an address that still takes other ones.
func sendAgain(err error) error {
	var known *Error
	if CodeOf(err) != CodeUnprocessable || !errors.As(err, &known) {
		return err
	}
	return known.WithHint("Send the whole file to the same address again.")
}

// dropStaged removes the blob that no upload needs after CreateRecording: what was copied or, after an error, the copy. If it fails, the job
// of the upload does so later.
func (e *Engine) dropStaged(ctx context.Context, id UploadID, a arrival, err error) {
	unused := a.staged
	if unused != "" && err != nil {
		unused = a.Key
		if now, readErr := e.GetUpload(context.WithoutCancel(ctx), id); readErr != nil || now.BlobKey == a.Key {
			return // it may be committed although its answer was lost
		}
	}
	if unused != "" {
		e.deleteBlob(ctx, unused)
	}
}

var errNoCopies = Errorf(CodeUnavailable, "", "The storage doesn't copy blobs.").
	WithHint("Set Config.Blobs to CopyingBlobs, such as those of files.NewDirect.")
