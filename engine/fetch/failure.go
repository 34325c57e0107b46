package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fault"
)

// requestError returns the error for a request without a response. Unknown causes are Retryable, because a needless retry
// costs less than a lost file.
func (w *watch) requestError(err error) error {
	if ended := w.contextError(); ended != nil {
		return ended
	}
	if e, ok := errors.AsType[*engine.Error](err); ok {
		return e // from the guard
	}
	if e, ok := errors.AsType[*net.DNSError](err); ok {
		return dnsFailure(e)
	}
	if errors.As(err, new(*tls.CertificateVerificationError)) {
		return permanent(err, "The server's certificate could not be verified.")
	}
	if errors.As(err, new(tls.RecordHeaderError)) || errors.As(err, new(tls.AlertError)) {
		return permanent(err, "The TLS handshake with the server failed.")
	}
	switch {
	case isTimeout(err):
		return transient(err, "The server did not answer in time.")
	case fault.Refused(err):
		return transient(err, "The server refused the connection.")
	case isBroken(err):
		return transient(err, "The server closed the connection without a response.")
	}
	return transient(err, "The server could not be reached or sent an invalid response.")
}

// bodyError returns the error for a body that ended early, after size bytes. length is the announced length, or negative.
func (w *watch) bodyError(err error, size, length int64) error {
	if ended := w.contextError(); ended != nil {
		return ended
	}
	if length >= 0 {
		return transient(err, "The download ended after %d of %d bytes.", size, length)
	}
	return transient(err, "The download ended early, after %d bytes.", size)
}

// contextError returns the error for a download or attempt whose context is done, and nil otherwise. Cancellation by the caller
// comes first.
func (w *watch) contextError() error {
	if w.parent.Err() != nil {
		why := w.parent.Err()
		if cause := context.Cause(w.parent); cause != why { //nolint:errorlint // a cause that wraps the context's error adds to it
			why = fmt.Errorf("%w: %w", why, cause)
		}
		return engine.Errorf(engine.CodeCanceled, op, "The download was canceled.").Because(why)
	}
	switch cause := context.Cause(w.attempt); cause {
	case errIdle: //nolint:errorlint // watch sets these causes itself
		return transient(cause, "The download stalled: the server sent nothing for %s.", w.cfg.IdleTimeout)
	case errWall:
		return transient(cause, "The download was too slow and was stopped.")
	}
	return nil
}

// dnsFailure distinguishes a name that doesn't exist from a name server that fails.
func dnsFailure(err *net.DNSError) error {
	if err.IsNotFound {
		return permanent(err, "The URL's host was not found.")
	}
	return transient(err, "The URL's host could not be resolved.")
}

// statusFailure returns the error for a status. Source: RFC 9110, section 15; RFC 8470 (425); RFC 6585 (429).
func statusFailure(status int) *engine.Error {
	e := engine.Errorf(engine.CodeDownload, op, "The server answered with status %d.", status)
	if text := http.StatusText(status); text != "" {
		e.Msg = fmt.Sprintf("The server answered with status %d (%s).", status, text)
	}
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return e.WithHint("The file must be downloadable without signing in.")
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return e.Transient()
	}
	if status >= http.StatusInternalServerError {
		return e.Transient()
	}
	return e
}

func isRetryable(err error) bool {
	e, ok := errors.AsType[*engine.Error](err)
	return ok && e.Retryable
}

func isTimeout(err error) bool {
	e, ok := errors.AsType[net.Error](err)
	return ok && e.Timeout()
}

func isBroken(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		fault.BrokenPipe(err)
}

func permanent(err error, format string, args ...any) *engine.Error {
	return engine.Errorf(engine.CodeDownload, op, format, args...).Because(err)
}

func transient(err error, format string, args ...any) *engine.Error {
	return engine.Errorf(engine.CodeDownload, op, format, args...).Because(err).Transient()
}
