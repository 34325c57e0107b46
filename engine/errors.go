package engine

import "github.com/soundstage-dev/soundstage/engine/fault"

// Errors are those of package fault, under the names that embedding programs use.
type (
	// Code is the kind of an Error. The list is closed.
	Code = fault.Code
	// Error is the only error type of the engine and its adapters.
	Error = fault.Error
	// Rule identifies what refused a request, more precisely than its Code.
	Rule = fault.Rule
)

// The codes, as package fault documents them.
const (
	CodeInvalid         = fault.CodeInvalid
	CodeUnauthenticated = fault.CodeUnauthenticated
	CodeNoPlan          = fault.CodeNoPlan
	CodeTier            = fault.CodeTier
	CodeNotFound        = fault.CodeNotFound
	CodeConflict        = fault.CodeConflict
	CodeNotReady        = fault.CodeNotReady
	CodeUnprocessable   = fault.CodeUnprocessable
	CodeStorageLimit    = fault.CodeStorageLimit
	CodeTooLarge        = fault.CodeTooLarge
	CodeForbidden       = fault.CodeForbidden
	CodeRateLimited     = fault.CodeRateLimited
	CodeNotPublic       = fault.CodeNotPublic
	CodeDownload        = fault.CodeDownload
	CodeBadMedia        = fault.CodeBadMedia
	CodeNoSpeech        = fault.CodeNoSpeech
	CodeCanceled        = fault.CodeCanceled
	CodeUnavailable     = fault.CodeUnavailable
	CodeUnsupported     = fault.CodeUnsupported
	CodeNoSpace         = fault.CodeNoSpace
	CodeInternal        = fault.CodeInternal
)

// Codes lists every Code, in the order of their declaration.
func Codes() []Code { return fault.Codes() }

// Errorf returns an *Error with a formatted Msg.
func Errorf(code Code, op, format string, args ...any) *Error {
	return fault.Errorf(code, op, format, args...)
}

// CodeOf returns the Code of the first *Error in err's chain. It returns "" for nil, CodeCanceled for a context error outside an *Error,
// and CodeInternal for any other error.
func CodeOf(err error) Code { return fault.CodeOf(err) }

// Message returns the message of err that is safe to show to a user.
func Message(err error) string { return fault.Message(err) }

// NotFound returns the error of every store for a missing row, and of the engine for a row of another account.
func NotFound(op, what string) *Error { return fault.NotFound(op, what) }
