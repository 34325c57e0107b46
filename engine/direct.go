package engine

import (
	"context"
	"crypto/sha256"
	"path"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/blob"
)

// addressTTL is how long an address is valid whose BlobGet doesn't say.
const addressTTL = time.Hour

// NewDirectUpload is the request for an upload whose bytes go directly to the storage.
type NewDirectUpload struct {
	NewUpload
	SHA256 [32]byte // of the bytes; zero if the client doesn't know it
	// Replaceable allows the client to send the bytes again, with no header but Content-Type, until CreateRecording. It then copies them,
	// so Config.Blobs must be CopyingBlobs.
	Replaceable bool
}

// PresignUpload is CreateUpload for a client that sends the bytes directly to the storage: the address says how, before the upload expires;
// once, unless n.Replaceable. The engine is not told of the bytes: the upload stays UploadReserved until CreateRecording, which verifies
// them. Without a recording, they are removed a day after this call. Errors: those of CreateUpload, CodeTooLarge if the storage doesn't take
// the bytes in one request, and CodeUnavailable if Config.Blobs is not PresigningBlobs or, with n.Replaceable, not CopyingBlobs.
func (e *Engine) PresignUpload(ctx context.Context, c Caller, n NewDirectUpload) (Upload, Address, error) {
	const op = "PresignUpload"
	signer, err := e.signer(op)
	if err != nil {
		return Upload{}, Address{}, err
	}
	if err := n.Validate(); err != nil {
		return Upload{}, Address{}, err
	}
	mark := directMark
	if n.Replaceable {
		if mark = stagedMark; e.copier == nil {
			return Upload{}, Address{}, wrap(op, errNoCopies)
		}
	}
	u, err := e.newUpload(c, n.NewUpload)
	if err != nil {
		return Upload{}, Address{}, wrap(op, err)
	}
	u.BlobKey, u.SHA256 = uploadPrefix(u.ID)+mark+e.ids.NewID("blob"), n.SHA256
	a, err := signer.PresignPut(ctx, u.BlobKey, BlobPut{Size: u.Size, SHA256: u.SHA256, ContentType: u.ContentType, TTL: UploadTTL, Replaceable: n.Replaceable})
	if err == nil {
		err = e.update(ctx, func(tx Tx) error { return e.reserveUpload(tx, c, &u) })
	}
	if err != nil {
		return Upload{}, Address{}, wrap(op, err)
	}
	return u, a, nil
}

// PresignMedia returns the address from which a client can read the media of a recording, whole or in ranges. g.TTL is one hour by
// default. Who has the address needs no other right. Errors: CodeNotFound, CodeInvalid (the TTL), CodeUnavailable if Config.Blobs is not
// PresigningBlobs.
func (e *Engine) PresignMedia(ctx context.Context, c Caller, id RecordingID, g BlobGet) (Address, error) {
	const op = "PresignMedia"
	r, _, err := e.GetRecording(ctx, c, id)
	if err != nil {
		return Address{}, err
	}
	return e.presignGet(ctx, op, r.BlobKey, g)
}

// PresignRender is PresignMedia for the video of a completed render; CodeNotReady before it is completed.
func (e *Engine) PresignRender(ctx context.Context, c Caller, id RenderID, g BlobGet) (Address, error) {
	const op = "PresignRender"
	r, err := e.GetRender(ctx, c, id)
	if err != nil {
		return Address{}, err
	}
	if r.Status != RenderCompleted {
		return Address{}, Errorf(CodeNotReady, op, "The render is not completed: its status is %s.", r.Status)
	}
	return e.presignGet(ctx, op, r.BlobKey, g)
}

func (e *Engine) presignGet(ctx context.Context, op, key string, g BlobGet) (Address, error) {
	signer, err := e.signer(op)
	if err != nil {
		return Address{}, err
	}
	if g.TTL == 0 {
		g.TTL = addressTTL
	}
	a, err := signer.PresignGet(ctx, key, g)
	return a, wrap(op, err)
}

// signer returns the blobs as PresigningBlobs, or CodeUnavailable.
func (e *Engine) signer(op string) (PresigningBlobs, error) {
	if signer, ok := e.blobs.(PresigningBlobs); ok {
		return signer, nil
	}
	return nil, Errorf(CodeUnavailable, op, "The storage doesn't sign addresses.").
		WithHint("Set Config.Blobs to PresigningBlobs, such as those of files.NewDirect.")
}

// directMark begins the last segment of the keys that addresses write once.
const directMark = "direct-"

// isDirect reports whether the blob of a key was sent to an address.
func isDirect(key string) bool {
	return strings.HasPrefix(path.Base(key), directMark) && ownKey(key) || isStaged(key) || isCopied(key)
}

// direct reports whether the upload waits for bytes that go directly to the storage.
func (u Upload) direct() bool { return u.Status == UploadReserved && u.BlobKey != "" }

// arrived reports whether the bytes of an upload are stored and wait for CreateRecording.
func (e *Engine) arrived(ctx context.Context, u Upload) (bool, error) {
	if !u.direct() {
		return u.Status == UploadStored, nil
	}
	_, err := e.blobs.Stat(ctx, u.BlobKey)
	if CodeOf(err) == CodeNotFound {
		return false, nil
	}
	return err == nil, err
}

// verifyUpload returns the bytes of a direct upload of the caller, or CodeUnprocessable if they are not the declared ones. It returns no
// bytes and no error if they are missing, and for any other upload. The space is checked first, so that nothing is copied in vain.
func (e *Engine) verifyUpload(ctx context.Context, c Caller, n NewRecording) (arrival, error) {
	var u Upload
	err := e.store.View(ctx, func(tx ReadTx) (err error) {
		if u, err = ownUpload(tx, c, n.ObjectID); err == nil && u.direct() {
			_, err = activeSpace(tx, c, n.spaceOf(u))
		}
		return err
	})
	if err != nil || !u.direct() {
		return arrival{}, err
	}
	if isStaged(u.BlobKey) {
		return e.copyStaged(ctx, u)
	}
	info, err := e.verifyObject(ctx, u.BlobKey, u.Size, u.SHA256)
	if CodeOf(err) == CodeNotFound {
		return arrival{}, nil
	}
	return arrival{BlobInfo: info}, err
}

// verifyObject returns the description of a blob with its SHA-256, which it computes if the storage doesn't know it. A size and a sum that
// aren't zero must be the blob's, else CodeUnprocessable. CodeNotFound if there is no blob.
func (e *Engine) verifyObject(ctx context.Context, key string, size int64, sum [32]byte) (BlobInfo, error) {
	info, err := e.blobs.Stat(ctx, key)
	if err != nil {
		return BlobInfo{}, err
	}
	if size != 0 && info.Size != size {
		return BlobInfo{}, wrongSize(info.Size, size)
	}
	if info.SHA256 == [32]byte{} {
		if info.SHA256, err = e.hash(ctx, info); err != nil {
			return BlobInfo{}, err
		}
	}
	if sum != [32]byte{} && info.SHA256 != sum {
		return BlobInfo{}, wrongBytes("The stored bytes have the SHA-256 %x, but %x was declared.", info.SHA256, sum)
	}
	return info, nil
}

func wrongSize(have, want int64) error {
	return wrongBytes("The storage has %d bytes, but %d were declared.", have, want)
}

func wrongBytes(format string, args ...any) error {
	return Errorf(CodeUnprocessable, "", format, args...).WithRule("recording.bytes-wrong").WithHint("Send the whole file again, to a new address.")
}

// hash reads a blob and returns its SHA-256.
func (e *Engine) hash(ctx context.Context, info BlobInfo) (sum [32]byte, err error) {
	body, err := e.blobs.Open(ctx, info.Key, 0, info.Size)
	if err != nil {
		return sum, err
	}
	defer func() { _ = body.Close() }()
	h := sha256.New()
	if err := blob.Copy(ctx, h, body); err != nil {
		return sum, err
	}
	return [32]byte(h.Sum(nil)), nil
}
