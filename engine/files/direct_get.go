package files

import (
	"cmp"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// ServeHTTP stores or returns a blob. An error is one line of text.
func (d *Direct) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	method := req.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	if method != http.MethodGet && method != http.MethodPut {
		w.Header().Set("Allow", "GET, HEAD, PUT")
		http.Error(w, "Signed addresses support only GET, HEAD, and PUT.", http.StatusMethodNotAllowed)
		return
	}
	key, ok := strings.CutPrefix(req.URL.Path, d.path)
	if !ok {
		http.NotFound(w, req)
		return
	}
	grant, err := d.signer.Verify(method, key, req.URL.RawQuery, d.now())
	switch {
	case err != nil:
	case method == http.MethodPut:
		err = d.put(w, req, grant)
	default:
		err = d.get(w, req, grant)
	}
	if err != nil {
		d.fail(w, req, err)
	}
}

// get returns a blob, whole or in ranges (RFC 9110, section 14).
func (d *Direct) get(w http.ResponseWriter, req *http.Request, g Grant) error {
	info, err := d.blobs.Stat(req.Context(), g.Key)
	if err != nil {
		return err
	}
	first, err := d.blobs.Open(req.Context(), g.Key, 0, 0) // finds damage before the status is sent
	if err != nil {
		return err
	}
	_ = first.Close()
	contentType, disposition := presentation(cmp.Or(g.ContentType, info.ContentType))
	header := w.Header()
	header.Set("Content-Type", contentType)
	header.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	header.Set("Cache-Control", "private")
	if g.Filename != "" {
		disposition = mime.FormatMediaType(disposition, map[string]string{"filename": g.Filename})
	}
	header.Set("Content-Disposition", disposition)
	if tag := etag(info); tag != "" {
		header.Set("ETag", tag)
	}
	body := &seeker{ctx: req.Context(), blobs: d.blobs, key: g.Key, size: info.Size}
	defer body.close()
	ServeContent(w, req, info.ModTime, info.Size, body)
	if body.err != nil { // fewer bytes than announced were sent, so net/http closes the connection
		d.log.Error("download ended early", "key", g.Key, "err", body.err)
	}
	return nil
}

// presentation returns how a browser gets a blob. Only sound, pictures, and videos are shown: a document may have scripts, which would run
// with the rights of the handler's origin.
func presentation(contentType string) (served, disposition string) {
	kind, _, err := mime.ParseMediaType(contentType)
	class, _, _ := strings.Cut(kind, "/")
	if err == nil && (class == "audio" || class == "video" || class == "image") && kind != "image/svg+xml" {
		return contentType, "inline"
	}
	return "application/octet-stream", "attachment"
}

// fail answers with an error.
func (d *Direct) fail(w http.ResponseWriter, req *http.Request, err error) {
	status, ok := map[engine.Code]int{
		engine.CodeInvalid: http.StatusBadRequest, engine.CodeForbidden: http.StatusForbidden, engine.CodeNotFound: http.StatusNotFound,
		engine.CodeConflict: http.StatusPreconditionFailed, engine.CodeTooLarge: http.StatusRequestEntityTooLarge,
		engine.CodeUnprocessable: http.StatusUnprocessableEntity, engine.CodeCanceled: http.StatusRequestTimeout,
		engine.CodeNoSpace: http.StatusInsufficientStorage, engine.CodeUnavailable: http.StatusServiceUnavailable,
	}[engine.CodeOf(err)]
	if !ok {
		status = http.StatusInternalServerError
	}
	if status >= http.StatusInternalServerError {
		d.log.Error("request to a signed address failed", "method", req.Method, "path", req.URL.Path, "err", err)
	}
	http.Error(w, engine.Message(err), status)
}

// seeker reads a blob for http.ServeContent. Seeking is free; the first Read opens the blob at the offset.
type seeker struct {
	ctx   context.Context
	blobs engine.Blobs
	key   string
	size  int64
	off   int64
	body  io.ReadCloser
	err   error // of reading; nil until one fails
}

func (s *seeker) Seek(off int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		off += s.off
	case io.SeekEnd:
		off += s.size
	}
	if off < 0 {
		return 0, errors.New("files: seek before the beginning")
	}
	s.close()
	s.off = off
	return off, nil
}

func (s *seeker) Read(p []byte) (int, error) {
	if s.off >= s.size {
		return 0, io.EOF
	}
	if s.body == nil {
		body, err := s.blobs.Open(s.ctx, s.key, s.off, -1)
		if err != nil {
			s.err = err
			return 0, err
		}
		s.body = body
	}
	n, err := s.body.Read(p)
	if s.off += int64(n); err != nil && !errors.Is(err, io.EOF) && s.ctx.Err() == nil {
		s.err = err
	}
	return n, err
}

func (s *seeker) close() {
	if s.body != nil {
		_ = s.body.Close()
		s.body = nil
	}
}
