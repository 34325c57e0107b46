package backend

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"syscall"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// FailureKind is the way in which an exchange failed.
type FailureKind string

// Failure is why an exchange has no response, or an incomplete one.
type Failure struct {
	Kind FailureKind `json:"kind"`
	Text string      `json:"text,omitempty"` // for the log
}

// failures lists the kinds of failure, each with an error that a Client treats like the original. The last kind matches any error.
var failures = []struct {
	kind  FailureKind
	is    func(error) bool
	cause error
}{
	{"timeout", isTimeout, os.ErrDeadlineExceeded},
	{"refused", fault.Refused, syscall.ECONNREFUSED},
	{"unknown host", isUnknownHost, &net.DNSError{Err: "no such host", IsNotFound: true}},
	{"insecure", isInsecure, http.ErrSchemeMismatch},
	{"broken off", func(error) bool { return true }, io.ErrUnexpectedEOF},
}

func isInsecure(err error) bool {
	return errors.As(err, new(*tls.CertificateVerificationError)) || errors.As(err, new(tls.RecordHeaderError)) ||
		errors.Is(err, http.ErrSchemeMismatch)
}

func isUnknownHost(err error) bool {
	dns, ok := errors.AsType[*net.DNSError](err)
	return ok && dns.IsNotFound
}

// failureOf converts an error for recording, with its secrets. ok is false for a cancellation by the caller and for engine errors.
func failureOf(ctx context.Context, err error) (f *Failure, ok bool) {
	if _, ours := asEngineError(err); ours || errors.Is(ctx.Err(), context.Canceled) {
		return nil, false
	}
	for _, k := range failures {
		if k.is(err) {
			return &Failure{Kind: k.kind, Text: withoutHost(err)}, true
		}
	}
	return nil, false
}

// withoutHost returns an error's text without network addresses.
func withoutHost(err error) string {
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return dns.Err
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Err != nil {
		return op.Op + ": " + op.Err.Error()
	}
	return err.Error()
}

// cause returns an error of the kind, or nil for an unknown kind.
func (f *Failure) cause() error {
	for _, k := range failures {
		if k.kind == f.Kind {
			return k.cause
		}
	}
	return nil
}

// error returns the replayed error.
func (f *Failure) error() error { return replayedError{f.Text, f.cause()} }

// replayedError is a replayed error: it has the text of the recorded one and unwraps to an error of its kind.
type replayedError struct {
	text  string
	cause error
}

func (a replayedError) Error() string { return "recorded: " + a.text }
func (a replayedError) Unwrap() error { return a.cause }
func (a replayedError) Timeout() bool { return isTimeout(a.cause) }
