package fault

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Code says what kind of failure an Error is. The list is closed: each code has a row in the table of HTTP statuses
// (emulator/api) and in the table of exit codes (cmd/soundstage), and a test fails when one lacks it.
type Code string

const (
	CodeInvalid         Code = "invalid"           // a parameter is missing, malformed or out of range
	CodeUnauthenticated Code = "unauthenticated"   // the API secret is missing or unknown
	CodeNoPlan          Code = "no_plan"           // the key's plan has no API access
	CodeTier            Code = "insufficient_tier" // the key's plan tier is too low for the operation
	CodeNotFound        Code = "not_found"         // the resource doesn't exist or is somebody else's
	CodeConflict        Code = "conflict"          // the resource is in a state that forbids the operation for good
	CodeNotReady        Code = "not_ready"         // the resource is not yet in the state that the operation needs
	CodeUnprocessable   Code = "unprocessable"     // the request is well-formed, but what it refers to is not usable
	CodeStorageLimit    Code = "storage_limit"     // the plan's storage hard limit would be exceeded
	CodeTooLarge        Code = "too_large"         // the payload is larger than allowed or declared
	CodeForbidden       Code = "forbidden"         // a signed address is expired, changed or used for something else
	CodeRateLimited     Code = "rate_limited"      // too many requests; try again later
	CodeNotPublic       Code = "not_public"        // a URL does not resolve to a public address
	CodeDownload        Code = "download_failed"   // a URL could not be downloaded
	CodeBadMedia        Code = "bad_media"         // the bytes are not media that can be used: broken, unsupported, no audio, too short
	CodeNoSpeech        Code = "no_speech"         // the asked range or media has no spoken words
	CodeCanceled        Code = "canceled"          // the caller or an operator stopped the work
	CodeUnavailable     Code = "unavailable"       // a port is not configured, or a backend does not answer
	CodeUnsupported     Code = "unsupported"       // this server doesn't offer the operation
	CodeNoSpace         Code = "no_space"          // the disk is full
	CodeInternal        Code = "internal"          // a defect of ours; Msg never says more than that
)

// Codes lists every Code, in the order of their declaration.
func Codes() []Code {
	return []Code{
		CodeInvalid, CodeUnauthenticated, CodeNoPlan, CodeTier, CodeNotFound, CodeConflict, CodeNotReady,
		CodeUnprocessable, CodeStorageLimit, CodeTooLarge, CodeForbidden, CodeRateLimited, CodeNotPublic,
		CodeDownload, CodeBadMedia, CodeNoSpeech, CodeCanceled, CodeUnavailable, CodeUnsupported, CodeNoSpace, CodeInternal,
	}
}

// Rule names the rule of the service that a refusal follows from: "recording.object-required". It is set where the refusal is made
// and stays the same when the sentence is reworded. "" where the Code says all there is.
type Rule string

// Error is the one error type of the engine and its adapters.
type Error struct {
	Code      Code
	Rule      Rule
	Op        string // the operation that failed, "CreateRecording"; for the log
	Msg       string // one sentence that is safe to show to a user
	Hint      string // what to do next, where there is something; safe to show
	Err       error  // the cause, for the log only
	Retryable bool   // a job that fails with it may be tried again; errors are permanent unless they say so

	RetryAfter time.Duration // the least that a backend asked to wait before the next try; 0 when it asked for nothing
}

func (e *Error) Error() string {
	s := e.Msg
	if s == "" {
		s = string(e.Code)
	}
	if e.Op != "" {
		s = e.Op + ": " + s
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// Errorf returns an *Error with a formatted Msg.
func Errorf(code Code, op, format string, args ...any) *Error {
	return &Error{Code: code, Op: op, Msg: fmt.Sprintf(format, args...)}
}

// WithHint returns a copy of e that says what to do next.
func (e *Error) WithHint(hint string) *Error { c := *e; c.Hint = hint; return &c }

// WithRule returns a copy of e that names its rule.
func (e *Error) WithRule(rule Rule) *Error { c := *e; c.Rule = rule; return &c }

// Because returns a copy of e with a cause for the log.
func (e *Error) Because(err error) *Error { c := *e; c.Err = err; return &c }

// Transient returns a copy of e that a job may retry.
func (e *Error) Transient() *Error { c := *e; c.Retryable = true; return &c }

// After returns a copy of e that a job may retry, but not before d has passed.
func (e *Error) After(d time.Duration) *Error { c := *e.Transient(); c.RetryAfter = d; return &c }

// CodeOf returns the Code of the first *Error in err's chain: "" for nil, CodeCanceled for a context's error without
// an *Error around it, and CodeInternal for anything else.
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

// Message returns the sentence of err that is safe to show to a user: the Msg of the first *Error in its chain, or a
// constant that gives nothing away.
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

// NotFound is the error of every store for a row that isn't there, and of the engine for somebody else's: what names
// the noun as a user knows it, "recording".
func NotFound(op, what string) *Error {
	return Errorf(CodeNotFound, op, "No %s with this id was found.", what)
}
