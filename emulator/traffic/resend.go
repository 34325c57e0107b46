package traffic

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"net/url"

	"github.com/soundstage-dev/soundstage/engine"
)

// Get returns the exchange with a number. CodeNotFound when the log doesn't have it any more.
func (t *Traffic) Get(number int64) (*Entry, error) {
	if e := t.log.at(number); e != nil {
		return e, nil
	}
	return nil, engine.Errorf(engine.CodeNotFound, "Requests", "The log has no request %d.", number).
		WithHint("List the newest requests with GET /_soundstage/requests.")
}

// Resend sends the request with a number again, byte for byte and with the same secret, to the handler that Wrap returned, and returns the new
// exchange. Faults can hit it. It ends early when ctx is done. CodeNotFound when the log doesn't have the request any more, CodeConflict when
// it doesn't have the whole body.
func (t *Traffic) Resend(ctx context.Context, number int64) (*Entry, error) {
	e, err := t.Get(number)
	if err != nil {
		return nil, err
	}
	if err := e.repeatable(); err != nil {
		return nil, err
	}
	w := &resentWriter{number: number, header: http.Header{}}
	serveAll(t.handler, w, e.again(ctx))
	if w.entry == nil || w.entry.Number == 0 {
		return nil, engine.Errorf(engine.CodeUnavailable, "Resend", "The request was sent again but not logged.")
	}
	return t.log.redacted(w.entry), nil
}

// redacted returns an entry that may have left the log already.
func (l *log) redacted(e *Entry) *Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return e.redact()
}

// repeatable returns CodeConflict unless the entry has the whole body of the request.
func (e *Entry) repeatable() error {
	const op, hint = "Resend", "Send the request again from your program."
	switch {
	case e.RequestBody.Truncated:
		return engine.Errorf(engine.CodeConflict, op, "The log has only the first %d of %d bytes of the body of request %d.", len(e.sent.body),
			max(e.RequestBody.Bytes, e.sent.length), e.Number).WithHint(hint)
	case e.sent.length > e.RequestBody.Bytes, e.sent.length < 0 && !e.sent.whole:
		return engine.Errorf(engine.CodeConflict, op, "The API read only %d bytes of the body of request %d, and the log has no more.", e.RequestBody.Bytes, e.Number).
			WithHint(hint)
	}
	return nil
}

// again returns the request that the entry logged.
func (e *Entry) again(ctx context.Context) *http.Request {
	path, err := url.PathUnescape(e.Path)
	if err != nil {
		path = e.Path // the server parsed it, so it can't fail
	}
	req := (&http.Request{
		Method: e.Method, URL: &url.URL{Path: path, RawPath: e.Path, RawQuery: e.sent.query}, Proto: e.Proto, ProtoMajor: 1, ProtoMinor: 1,
		Header: e.sent.header.Clone(), Host: e.Host, RemoteAddr: "127.0.0.1:0", Body: http.NoBody,
	}).WithContext(ctx)
	if e.TLS {
		req.TLS = &tls.ConnectionState{} // so that URLs in the response have the same scheme
	}
	req.RequestURI = req.URL.RequestURI()
	if n := len(e.sent.body); n > 0 {
		req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(e.sent.body)), int64(n)
	}
	return req
}

// resentWriter is the ResponseWriter of a request that is sent again. It discards the response, which the log keeps.
type resentWriter struct {
	number int64  // of the original
	entry  *Entry // of the repetition
	header http.Header
}

func (w *resentWriter) Header() http.Header         { return w.header }
func (w *resentWriter) WriteHeader(int)             {}
func (w *resentWriter) Write(p []byte) (int, error) { return len(p), nil }

// FlushError sends nothing.
func (w *resentWriter) FlushError() error { return nil }
