package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
)

// getObject handles GET {asset_url}: the video of a completed render, whole or in ranges (RFC 9110, section 14).
func (a *api) getObject(w http.ResponseWriter, req *http.Request) {
	object := req.PathValue("object")
	id := engine.RenderID(a.idOf(object))
	if _, err := a.signer.Verify(http.MethodGet, object, req.URL.RawQuery, a.engine.Now()); err != nil {
		a.failStorage(w, req, err)
		return
	}
	r, info, err := a.engine.SignedAsset(req.Context(), id)
	if err != nil {
		a.failStorage(w, req, err)
		return
	}
	if err := a.verifyAsset(req.Context(), id); err != nil {
		a.failStorage(w, req, err)
		return
	}
	w.Header().Set("Content-Type", assetType)
	w.Header().Set("Content-Disposition", videoDisposition(r))
	w.Header().Set("ETag", fmt.Sprintf("%q", fmt.Sprintf("%x", info.SHA256)))
	body := &asset{ctx: req.Context(), open: func(ctx context.Context, off int64) (io.ReadCloser, error) {
		return a.engine.OpenSignedAsset(ctx, id, off, -1)
	}, size: info.Size}
	defer body.close()
	files.ServeContent(w, req, info.ModTime, info.Size, body)
	if body.err != nil { // fewer bytes than declared were sent, so net/http closes the connection
		a.log.Error("download ended early", "id", w.Header().Get("X-Request-Id"), "object", object, "err", body.err)
	}
}

// verifyAsset returns CodeUnavailable for a damaged video. Its first call reads the whole video.
func (a *api) verifyAsset(ctx context.Context, id engine.RenderID) error {
	body, err := a.engine.OpenSignedAsset(ctx, id, 0, 0)
	if err != nil {
		return err
	}
	return body.Close()
}

// asset is the io.ReadSeeker of a blob for http.ServeContent. Seeking is free; the first Read opens the blob at the offset.
type asset struct {
	ctx  context.Context
	open func(ctx context.Context, off int64) (io.ReadCloser, error)
	size int64
	off  int64
	body io.ReadCloser
	err  error // of reading the blob; nil until one fails
}

func (a *asset) Seek(off int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		off += a.off
	case io.SeekEnd:
		off += a.size
	}
	if off < 0 {
		return 0, errors.New("seek before the beginning")
	}
	a.close()
	a.off = off
	return off, nil
}

func (a *asset) Read(p []byte) (int, error) {
	if a.off >= a.size {
		return 0, io.EOF
	}
	if a.body == nil {
		body, err := a.open(a.ctx, a.off)
		if err != nil {
			a.err = err
			return 0, err
		}
		a.body = body
	}
	n, err := a.body.Read(p)
	if a.off += int64(n); err != nil && !errors.Is(err, io.EOF) && a.ctx.Err() == nil {
		a.err = err
	}
	return n, err
}

func (a *asset) close() {
	if a.body != nil {
		_ = a.body.Close()
		a.body = nil
	}
}
