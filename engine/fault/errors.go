package fault

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Code is the kind of an Error. The list is closed: each code has a row in the table of HTTP statuses (emulator/api) and in the table of
// exit codes (cmd/soundstage). A test fails if a row is missing.
type Code string

const (
	CodeInvalid         Code = "invalid"           // a parameter is missing, malformed or out of range
	CodeUnauthenticated Code = "unauthenticated"   // the API secret is missing or unknown
	CodeNoPlan          Code = "no_plan"           // the key's plan has no API access
	CodeTier            Code = "insufficient_tier" // the key's plan tier is too low for the operation
	CodeNotFound        Code = "not_found"         // the resource doesn't exist or belongs to another account
	CodeConflict        Code = "conflict"          // the state of the resource permanently forbids the operation
	CodeNotReady        Code = "not_ready"         // the resource is not yet in the required state
	CodeUnprocessable   Code = "unprocessable"     // the request is well-formed, but what it refers to is unusable
	CodeStorageLimit    Code = "storage_limit"     // the plan's storage hard limit would be exceeded
	CodeTooLarge        Code = "too_large"         // the payload is larger than allowed or declared
	CodeForbidden       Code = "forbidden"         // a signed URL is expired, changed, or used for something else
	CodeRateLimited     Code = "rate_limited"      // too many requests; try again later
	CodeNotPublic       Code = "not_public"        // a URL does not resolve to a public address
	CodeDownload        Code = "download_failed"   // a URL could not be downloaded
	CodeBadMedia        Code = "bad_media"         // the bytes are not usable media: broken, unsupported, no audio, too short
	CodeNoSpeech        Code = "no_speech"         // the requested window or media has no spoken words
	CodeCanceled        Code = "canceled"          // the caller or an operator canceled the operation
	CodeUnavailable     Code = "unavailable"       // a port is not configured, or a backend does not respond
	CodeUnsupported     Code = "unsupported"       // this server doesn't support the operation
	CodeNoSpace         Code = "no_space"          // the disk is full
	CodeInternal        Code = "internal"          // a bug; Msg never says more
)

// Codes returns every Code, in the order of their declaration.
func Codes() []Code {
	return []Code{
		CodeInvalid, CodeUnauthenticated, CodeNoPlan, CodeTier, CodeNotFound, CodeConflict, CodeNotReady,
		CodeUnprocessable, CodeStorageLimit, CodeTooLarge, CodeForbidden, CodeRateLimited, CodeNotPublic,
		CodeDownload, CodeBadMedia, CodeNoSpeech, CodeCanceled, CodeUnavailable, CodeUnsupported, CodeNoSpace, CodeInternal,
	}
}

// Rule identifies the rule that refused a request, such as "recording.object-required". It stays the same when the message is
// reworded. It is "" when the Code is enough.
type Rule string

// Error is the only error type of the engine and its adapters.
type Error struct {
	Code      Code
	Rule      Rule
	Op        string // the operation that failed, "CreateRecording"; for the log
	Msg       string // one sentence that is safe to show to a user
	Hint      string // what to do about it, if known; safe to show
	Err       error  // the cause, for the log only
	Retryable bool   // a job may retry after it; errors are permanent by default
	Outage    bool   // the service can't work now: it restarts, loads a model, or limits requests. Retryable too

	RetryAfter time.Duration // the shortest wait that a backend requested; 0 for none
}

// Error returns the text for the log: the operation, the message or else the code, and the cause.
func (e *Error) Error() string {
	s := e.Msg
	if s == "" {
		s = string(e.Code)
	}
	if e.Op != "" {
		s = e.Op + ": " + s
	}
	if e.Err != nil {
		s = strings.TrimSuffix(s, ".") + ": " + e.Err.Error()
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// Errorf returns an *Error with a formatted Msg.
func Errorf(code Code, op, format string, args ...any) *Error {
	return &Error{Code: code, Op: op, Msg: fmt.Sprintf(format, args...)}
}

// WithHint returns a copy of e with a hint.
func (e *Error) WithHint(hint string) *Error { c := *e; c.Hint = hint; return &c }

// WithRule returns a copy of e with a rule.
func (e *Error) WithRule(rule Rule) *Error { c := *e; c.Rule = rule; return &c }

// Because returns a copy of e with a cause for the log.
func (e *Error) Because(err error) *Error { c := *e; c.Err = err; return &c }

// Transient returns a copy of e that is retryable.
func (e *Error) Transient() *Error { c := *e; c.Retryable = true; return &c }

// After returns a copy of e that is retryable after d.
func (e *Error) After(d time.Duration) *Error { c := *e.Transient(); c.RetryAfter = d; return &c }

// InOutage returns a copy of e that is retryable, because the service can't work now.
func (e *Error) InOutage() *Error { c := *e.Transient(); c.Outage = true; return &c }

// CodeOf returns the Code of the first *Error in err's chain. It returns "" for nil, CodeCanceled for a context error outside an *Error,
// and CodeInternal for any other error.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return CodeCanceled
	}
	return CodeInternal
}

// Message returns the message of err that is safe to show to a user. It is the Msg of the first *Error in its chain, or a constant that
// reveals nothing.
func Message(err error) string {
	var e *Error
	if errors.As(err, &e) && e.Msg != "" {
		return e.Msg
	}
	if CodeOf(err) == CodeCanceled {
		return "The operation was canceled."
	}
	return "Something went wrong on our side."
}

// NotFound returns the error of every store for a missing row, and of the engine for a row of another account. what is the users' noun
// for it, such as "recording".
func NotFound(op, what string) *Error {
	return Errorf(CodeNotFound, op, "No %s with this id was found.", what)
}
