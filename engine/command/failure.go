package command

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fault"
)

const op = "Transcribe"

var (
	errTooLong = errors.New("the program took longer than its time limit")
	errTooMuch = errors.New("the program printed more than the limit")
)

// failure returns the error of a failed run. said is the end of the program's standard error, for the log.
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
		return failed.WithHint("Use a smaller model or a faster machine, or set a longer timeout.")
	case errors.Is(stop, errTooMuch):
		failed.Msg = fmt.Sprintf("The transcriber printed more than %d MiB.", maxOutput>>20)
		return failed.WithHint("Make it print only JSON.")
	case signal != "":
		failed.Msg = fmt.Sprintf("The transcriber was ended by a signal: %s.", signal)
		return failed.Transient().WithHint("If it was killed, the machine may be short of memory. Use a smaller model.")
	}
	return failed.WithHint("Run the program on a WAV file yourself to see its full output. The log has the end of it.")
}

// startFailure returns the error of a program that could not be started. It is Retryable if the same program may start later.
func startFailure(err error) error {
	failed := engine.Errorf(engine.CodeUnavailable, op, "The transcriber's program could not be started.").Because(err)
	switch {
	case errors.Is(err, syscall.ETXTBSY):
		return failed.Transient().WithHint("It is open for writing. Wait until it is installed.")
	case errors.Is(err, syscall.EAGAIN), errors.Is(err, syscall.ENOMEM), errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return failed.Transient().WithHint("The machine is short of processes, files, or memory. Use fewer workers, or raise its limits.")
	}
	return failed.WithHint("Install it, or use its full path.")
}

// noJSON returns the error of a program that succeeded without readable JSON.
func noJSON(why error, said string) error {
	if said != "" {
		why = fmt.Errorf("%w: %s", why, said)
	}
	return engine.Errorf(engine.CodeUnavailable, op, "The transcriber returned no JSON in a known format.").Because(why).
		WithHint("Make it print JSON, or write it next to the WAV file or into {dir}. Use -oj for whisper-cli, --output_format json --output_dir {dir} for whisperx.")
}

func canceled(ctx context.Context) error {
	return engine.Errorf(engine.CodeCanceled, op, "The transcription was canceled.").Because(context.Cause(ctx))
}

// fileError returns the error of a failed operation on temporary files: CodeNoSpace or CodeInternal.
func fileError(err error) error {
	if fault.NoSpace(err) {
		return engine.Errorf(engine.CodeNoSpace, op, "There is no space left for the sound.").Because(err).WithHint("Free some space, or set another folder for temporary files.")
	}
	return &engine.Error{Code: engine.CodeInternal, Op: op, Err: err}
}
