package engine

import (
	"cmp"
	"errors"
	"strings"
)

// notFoundAs replaces the NotFound of an intermediate row by that of the requested row, so that another account's row looks missing.
// Other errors stay.
func notFoundAs(op, what string, err error) error {
	if CodeOf(err) == CodeNotFound {
		return NotFound(op, what)
	}
	return err
}

// addRule sets the rule of an error that has a code and no rule. Other errors stay.
func addRule(code Code, rule Rule, err error) error {
	var e *Error
	if !errors.As(err, &e) || e.Code != code || e.Rule != "" {
		return err
	}
	ruled := e.WithRule(rule)
	if err != e { //nolint:errorlint // keep the wrapping error for the log
		ruled.Op, ruled.Err = "", err
	}
	return ruled
}

// details returns what a row stores of an error besides its message.
func details(err error) (code Code, hint string, rule Rule) {
	var e *Error
	if errors.As(err, &e) {
		hint, rule = e.Hint, e.Rule
	}
	return CodeOf(err), hint, rule
}

// The failure of a row is the error that its Wait method returns: nil unless the row failed or was canceled.

func (t Transcript) failure() error {
	if t.Status != TranscriptError {
		return nil
	}
	return &Error{Code: t.ErrorCode, Rule: t.ErrorRule, Msg: t.Error, Hint: t.ErrorHint}
}

func (i Import) failure() error {
	if i.Status != ImportError && i.Status != ImportCanceled {
		return nil
	}
	return &Error{Code: cmp.Or(i.ErrorCode, earlierFailure), Rule: i.ErrorRule, Msg: i.Error, Hint: i.ErrorHint}
}

func (o Output) failure() error {
	if o.Status != OutputFailed && o.Status != OutputCanceled {
		return nil
	}
	return &Error{Code: cmp.Or(o.ErrorCode, earlierFailure), Rule: o.ErrorRule, Msg: o.Error, Hint: o.ErrorHint}
}

func (r Render) failure() error {
	if r.Status != RenderFailed {
		return nil
	}
	msg := strings.TrimSuffix(r.Message, " "+r.ErrorHint)
	return &Error{Code: cmp.Or(r.ErrorCode, earlierFailure), Rule: r.ErrorRule, Msg: msg, Hint: r.ErrorHint}
}

// earlierFailure is the code of rows that failed before codes were stored.
const earlierFailure = CodeUnprocessable
