package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/engine"
)

// exitCodes is the exit code of every engine code. 1 is a defect of ours, 2 a wrong command line or wrong input, 130 an
// interruption, as shells have it.
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

// exitStatus ends the program with a code that is no engine code's: of a program that was run, or of an answer that is no. What it
// says is printed unless it is empty.
type exitStatus struct {
	code int
	says string
}

func (e exitStatus) Error() string { return fmt.Sprintf("exit status %d", e.code) }

func exitCode(err error) int {
	if code, ok := exitCodes[engine.CodeOf(err)]; ok {
		return code
	}
	return 1
}

// explain is what a person reads of an error: what is wrong and what to do. The cause is told where the sentence alone would
// leave the person in the dark: a file, a folder or an address of their own.
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
	if e.Hint != "" {
		s += "\n  " + e.Hint
	}
	return s
}

// usageError says what is wrong with a command line and where its help is.
func usageError(cmd *cobra.Command, err error) error {
	return engine.Errorf(engine.CodeInvalid, "usage", "%v", err).WithHint("See `" + cmd.CommandPath() + " --help`.")
}

type unknownCommand string

func (c unknownCommand) Error() string { return fmt.Sprintf("there is no command %q.", string(c)) }

type wrongArgs struct {
	what string
	got  int
}

func (w wrongArgs) Error() string {
	return fmt.Sprintf("%s is needed, and %d arguments were given.", w.what, w.got)
}
