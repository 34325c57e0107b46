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
)

// FailureKind says how an exchange failed.
type FailureKind string

// Failure is what ended an exchange that got no answer, or not all of it.
type Failure struct {
	Kind FailureKind `json:"kind"`
	Text string      `json:"text,omitempty"` // for the log
}

// failures has an error of each kind that a Client takes for the same as what happened. The last one is any other.
var failures = []struct {
	kind  FailureKind
	is    func(error) bool
	cause error
}{
	{"timeout", isTimeout, os.ErrDeadlineExceeded},
	{"refused", func(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }, syscall.ECONNREFUSED},
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

// failureOf is an error as it is kept, but for its secrets. A caller's own cancellation and an error of ours are none of an exchange: ok is false.
func failureOf(ctx context.Context, err error) (f *Failure, ok bool) {
	if _, ours := isEngines(err); ours || errors.Is(ctx.Err(), context.Canceled) {
		return nil, false
	}
	for _, k := range failures {
		if k.is(err) {
			return &Failure{Kind: k.kind, Text: withoutHost(err)}, true
		}
	}
	return nil, false
}

// withoutHost is an error's text without an address of the network.
func withoutHost(err error) string {
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return dns.Err
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Err != nil {
		return op.Op + ": " + op.Err.Error()
	}
	return err.Error()
}

// cause is an error of the kind; nil for a kind that there isn't.
func (f *Failure) cause() error {
	for _, k := range failures {
		if k.kind == f.Kind {
			return k.cause
		}
	}
	return nil
}

// error is the failure as it is met again.
func (f *Failure) error() error { return again{f.Text, f.cause()} }

// again is an error with the text of the one that was recorded, which is known as what that was.
type again struct {
	text  string
	cause error
}

func (a again) Error() string { return "recorded: " + a.text }
func (a again) Unwrap() error { return a.cause }
func (a again) Timeout() bool { return isTimeout(a.cause) }
