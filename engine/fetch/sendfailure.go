package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fault"
)

// sendFailure returns the error for a delivery without a response. Unknown causes are Retryable.
func sendFailure(ctx context.Context, err error, timeout time.Duration) error {
	if ctx.Err() != nil {
		return engine.Errorf(engine.CodeCanceled, opSend, "The delivery was canceled.").Because(ctx.Err())
	}
	if e, ok := errors.AsType[*engine.Error](err); ok {
		return e // from the guard
	}
	say := func(format string, args ...any) *engine.Error {
		return engine.Errorf(engine.CodeUnavailable, opSend, format, args...).Because(err)
	}
	if e, ok := errors.AsType[*net.DNSError](err); ok && e.IsNotFound {
		return say("The URL's host was not found.").Transient() // a new DNS name may not have propagated yet
	} else if ok {
		return say("The URL's host could not be resolved.").Transient()
	}
	switch {
	case errors.As(err, new(*tls.CertificateVerificationError)):
		return say("The receiver's certificate could not be verified.").Transient() // it may be renewed
	case errors.As(err, new(tls.RecordHeaderError)), errors.As(err, new(tls.AlertError)):
		return say("The TLS handshake with the receiver failed.").Transient()
	case isTimeout(err):
		return say("The receiver did not answer within %s.", timeout).Transient()
	case fault.Refused(err):
		return say("The receiver refused the connection.").Transient()
	case isBroken(err):
		return say("The receiver closed the connection without a response.").Transient()
	}
	return say("The receiver could not be reached or sent an invalid response.").Transient()
}
