package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/soundstage-dev/soundstage/engine"
)

// exitCodes maps every engine code to an exit code. 1 is a bug in Soundstage, 2 a wrong command line or input, and 130 an
// interruption, as in shells.
var exitCodes = map[engine.Code]int{
	engine.CodeInternal:        1,
	engine.CodeInvalid:         2,
	engine.CodeNotFound:        3,
	engine.CodeConflict:        4,
	engine.CodeUnavailable:     5,
	engine.CodeUnsupported:     5,
	engine.CodeBadMedia:        6,
	engine.CodeNoSpeech:        6,
	engine.CodeUnprocessable:   6,
	engine.CodeDownload:        7,
	engine.CodeNotPublic:       7,
	engine.CodeNoSpace:         8,
	engine.CodeStorageLimit:    8,
	engine.CodeTooLarge:        8,
	engine.CodeUnauthenticated: 9,
	engine.CodeNoPlan:          9,
	engine.CodeTier:            9,
	engine.CodeForbidden:       9,
	engine.CodeNotReady:        10,
	engine.CodeRateLimited:     10,
	engine.CodeCanceled:        130,
}

// exitStatus is an error with an exit code of its own, such as the exit code of a child process. The program prints its message unless
// that is empty.
type exitStatus struct {
	code    int
	message string
}

func (e exitStatus) Error() string { return fmt.Sprintf("exit status %d", e.code) }

func exitCode(err error) int {
	if code, ok := exitCodes[engine.CodeOf(err)]; ok {
		return code
	}
	return 1
}

// explain formats an error for the terminal: what is wrong, then what to do. It adds the cause where the message alone isn't enough: for
// the user's own files, folders, and addresses.
func explain(err error) string {
	if errors.Is(err, context.Canceled) {
		return "soundstage: interrupted"
	}
	var e *engine.Error
	if !errors.As(err, &e) {
		return "soundstage: " + err.Error()
	}
	s := "soundstage: " + engine.Message(err)
	if e.Err != nil && (e.Code == engine.CodeUnavailable || e.Code == engine.CodeConflict || e.Code == engine.CodeInternal) {
		s += fmt.Sprintf(" (%v)", e.Err)
	}
	switch {
	case e.Hint != "":
		s += "\n  " + e.Hint
	case e.Code == engine.CodeNotPublic:
		s += "\n  Loopback and private addresses need --allow-private-urls."
	}
	return s
}

// hintOf returns what to do about an error, "" if that is unknown.
func hintOf(err error) string {
	if e, ok := errors.AsType[*engine.Error](err); ok {
		return e.Hint
	}
	return ""
}

// usageError returns an error about a command line. Its hint says what was probably meant, and where the help is.
func usageError(cmd *cobra.Command, err error) error {
	if wrong := wrongValue(err); wrong != "" {
		err = errors.New(wrong + ".")
	}
	return engine.Errorf(engine.CodeInvalid, "usage", "%v", err).WithHint(misspelt(cmd, err) + "See `" + cmd.CommandPath() + " --help`.")
}

// wrongValue says which values a flag accepts, without a full stop. It returns "" if the error says it: that of a number has only the names of
// Go functions.
func wrongValue(err error) string {
	bad, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return ""
	}
	f := bad.GetFlag()
	switch {
	case errors.Is(bad, strconv.ErrRange):
		return fmt.Sprintf("--%s is out of range (got %q)", f.Name, bad.GetValue())
	case f.Value.Type() == "bool", isNumber(f.Value.Type()):
		return fmt.Sprintf("%s (got %q)", strings.TrimSuffix(valueHint("--"+f.Name, f), "."), bad.GetValue())
	}
	return ""
}

type unknownCommand string

func (c unknownCommand) Error() string { return fmt.Sprintf("unknown command %q.", string(c)) }

type wrongArgs struct {
	what string
	got  int
}

func (w wrongArgs) Error() string {
	return fmt.Sprintf("expected %s (got %s).", w.what, plural(w.got, "argument", "arguments"))
}
