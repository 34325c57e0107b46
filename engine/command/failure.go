package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/soundstage-dev/soundstage/engine"
)

const op = "Transcribe"

var (
	errTooLong = errors.New("the program took longer than its time limit")
	errTooMuch = errors.New("the program printed more than is read")
)

// failure says why a run gave no JSON. said is the end of what the program complained of, which is for the log.
func (t *Transcriber) failure(ctx context.Context, err error, stop error, said string) error {
	cause := err
	if said != "" {
		cause = fmt.Errorf("%w: %s", err, said)
	}
	failed := engine.Errorf(engine.CodeUnavailable, op, "The transcriber failed.").Because(cause)
	signal := signalOf(err)
	switch {
	case ctx.Err() != nil:
		return canceled(ctx)
	case errors.Is(stop, errTooLong):
		failed.Msg = fmt.Sprintf("The transcriber took longer than %v.", t.cfg.Timeout)
		return failed.WithHint("Use a smaller model or a faster machine, or allow it more time.")
	case errors.Is(stop, errTooMuch):
		failed.Msg = fmt.Sprintf("The transcriber printed more than %d MiB.", maxOutput>>20)
		return failed.WithHint("Let it print JSON alone.")
	case errors.Is(err, os.ErrNotExist), errors.Is(err, os.ErrPermission), errors.Is(err, syscall.ENOEXEC):
		failed.Msg = "The transcriber's program could not be started."
		return failed.WithHint("Install it, or give its whole path.")
	case signal != "":
		failed.Msg = fmt.Sprintf("The transcriber was ended by a signal: %s.", signal)
		return failed.Transient().WithHint("If it was killed, the machine may be short of memory: use a smaller model.")
	}
	return failed.WithHint("Run its program by hand on a WAV file to see what it says; the log has the end of it.")
}

// noJSON is the error of a program that ended well and told nothing.
func noJSON(why error, said string) error {
	if said != "" {
		why = fmt.Errorf("%w: %s", why, said)
	}
	return engine.Errorf(engine.CodeUnavailable, op, "The transcriber gave no JSON that is understood.").Because(why).
		WithHint("Let it print JSON, or write it beside the WAV file or into {dir}: whisper-cli does with -oj, whisperx with --output_format json --output_dir {dir}.")
}

func canceled(ctx context.Context) error {
	return engine.Errorf(engine.CodeCanceled, op, "The transcription was canceled.").Because(context.Cause(ctx))
}

// onDisk is the error of our own files.
func onDisk(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return engine.Errorf(engine.CodeNoSpace, op, "There is no space left for the sound.").Because(err).WithHint("Free some, or set another folder for temporary files.")
	}
	return &engine.Error{Code: engine.CodeInternal, Op: op, Err: err}
}
