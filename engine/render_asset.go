package engine

import (
	"context"
	"io"
)

// RenderAsset describes the video of a completed render of a recording that the caller may see. CodeNotFound before the render is
// completed.
func (e *Engine) RenderAsset(ctx context.Context, c Caller, id RenderID) (Render, BlobInfo, error) {
	const op = "RenderAsset"
	r, err := e.GetRender(ctx, c, id)
	if err != nil {
		return Render{}, BlobInfo{}, wrap(op, err)
	}
	return e.statAsset(ctx, op, r)
}

// OpenAsset reads the video of a completed render of a recording that the caller may see, n bytes from off; n < 0 reads to the end.
// CodeNotFound before the render is completed.
func (e *Engine) OpenAsset(ctx context.Context, c Caller, id RenderID, off, n int64) (io.ReadCloser, error) {
	const op = "OpenAsset"
	r, _, err := e.RenderAsset(ctx, c, id)
	if err != nil {
		return nil, wrap(op, err)
	}
	body, err := e.blobs.Open(ctx, r.BlobKey, off, n)
	return body, wrap(op, err)
}

// SignedAsset is RenderAsset without a Caller, for a program that has verified a signed address of the video.
func (e *Engine) SignedAsset(ctx context.Context, id RenderID) (r Render, info BlobInfo, err error) {
	const op = "SignedAsset"
	if err := e.store.View(ctx, func(tx ReadTx) error {
		if r, err = tx.Render(id); err != nil {
			return err
		}
		_, err = tx.Recording(r.RecordingID)
		return notFoundAs(op, "render", err)
	}); err != nil {
		return Render{}, BlobInfo{}, wrap(op, err)
	}
	return e.statAsset(ctx, op, r)
}

// OpenSignedAsset is OpenAsset without a Caller, for a program that has verified a signed address of the video.
func (e *Engine) OpenSignedAsset(ctx context.Context, id RenderID, off, n int64) (io.ReadCloser, error) {
	const op = "OpenSignedAsset"
	r, _, err := e.SignedAsset(ctx, id)
	if err != nil {
		return nil, wrap(op, err)
	}
	body, err := e.blobs.Open(ctx, r.BlobKey, off, n)
	return body, wrap(op, err)
}

func (e *Engine) statAsset(ctx context.Context, op string, r Render) (Render, BlobInfo, error) {
	if r.Status != RenderCompleted {
		return Render{}, BlobInfo{}, NotFound(op, "asset")
	}
	info, err := e.blobs.Stat(ctx, r.BlobKey)
	return r, info, wrap(op, err)
}
