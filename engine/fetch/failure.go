package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"

	"github.com/soundstage-dev/soundstage/engine"
)

// failure says why no answer came. What it doesn't know is Retryable, because a needless try costs less than a lost file.
func (w *watch) failure(err error) error {
	if ended := w.ended(); ended != nil {
		return ended
	}
	if e, ok := errors.AsType[*engine.Error](err); ok {
		return e // the guard's
	}
	if e, ok := errors.AsType[*net.DNSError](err); ok {
		return dnsFailure(e)
	}
	if errors.As(err, new(*tls.CertificateVerificationError)) {
		return permanent(err, "The server's certificate could not be verified.")
	}
	if errors.As(err, new(tls.RecordHeaderError)) || errors.As(err, new(tls.AlertError)) {
		return permanent(err, "No secure connection to the server could be made.")
	}
	switch {
	case isTimeout(err):
		return transient(err, "The server did not answer in time.")
	case errors.Is(err, syscall.ECONNREFUSED):
		return transient(err, "The server refused the connection.")
	case isBroken(err):
		return transient(err, "The server closed the connection without an answer.")
	}
	return transient(err, "The server could not be reached or gave no valid answer.")
}

// broken says why the body of an answer ended early, after size bytes; length is what was announced, or negative.
func (w *watch) broken(err error, size, length int64) error {
	if ended := w.ended(); ended != nil {
		return ended
	}
	if length >= 0 {
		return transient(err, "The download ended after %d of %d bytes.", size, length)
	}
	return transient(err, "The download ended early, after %d bytes.", size)
}

// ended returns the error for a download, or a try of it, whose context is over, nil for any other: the caller's doing comes first.
func (w *watch) ended() error {
	if w.parent.Err() != nil {
		why := w.parent.Err()
		if cause := context.Cause(w.parent); cause != why {
			why = fmt.Errorf("%w: %w", why, cause)
		}
		return engine.Errorf(engine.CodeCanceled, op, "The download was canceled.").Because(why)
	}
	switch cause := context.Cause(w.try); cause {
	case errIdle:
		return transient(cause, "The download stalled: the server sent nothing for %s.", w.cfg.IdleTimeout)
	case errWall:
		return transient(cause, "The download was too slow and was given up.")
	}
	return nil
}

// dnsFailure tells a name that doesn't exist from a name server that doesn't answer.
func dnsFailure(err *net.DNSError) error {
	if err.IsNotFound {
		return permanent(err, "The host of the address was not found.")
	}
	return transient(err, "The host of the address could not be resolved.")
}

// statusFailure says which status came. Source: RFC 9110 section 15; RFC 8470 (425); RFC 6585 (429).
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
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

func permanent(err error, format string, args ...any) *engine.Error {
	return engine.Errorf(engine.CodeDownload, op, format, args...).Because(err)
}

func transient(err error, format string, args ...any) *engine.Error {
	return engine.Errorf(engine.CodeDownload, op, format, args...).Because(err).Transient()
}
