package render

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// failure converts the end of a process that read a file into an error, or nil if it succeeded. opened means that something
// was read already, so the file is media.
func failure(op string, p *process, end ending, file localFile, opened bool) error {
	switch end {
	case succeeded:
		return nil
	case wasStopped:
		return canceled(p.caller, op)
	case wasClosed:
		return internal(op, os.ErrClosed)
	case wasLate:
		return engine.Errorf(engine.CodeUnavailable, op, "Reading the media took too long.").
			WithHint("Try again later, or convert the file to WAV or MP3 first.").Because(p.cause()).Transient()
	case wasCostly:
		return engine.Errorf(engine.CodeBadMedia, op, "The media needs more than %s of CPU time to read.", p.cpu).
			WithHint("Convert the file to WAV or MP3 first.").Because(p.cause())
	case wasKilled:
		return engine.Errorf(engine.CodeUnavailable, op, "Reading the media was stopped by the system.").
			Because(p.cause()).Transient()
	}
	return badMedia(op, p, file, opened)
}

// badMedia returns the error for a file that ffmpeg rejected. The exit status doesn't say why, so badMedia looks at ffmpeg's
// output and the file's first bytes.
func badMedia(op string, p *process, file localFile, opened bool) error {
	output := p.stderr.String()
	outputHas := func(words string) bool { return strings.Contains(strings.ToLower(output), words) }
	sentence := "The file is not audio or video in a supported format."
	switch {
	case outputHas("matches no streams"):
		sentence = "The media has no audio stream."
	case outputHas("cannot allocate memory"):
		sentence = "The file needs too much memory to be read."
	case outputHas("no decoder found"), outputHas("decoder (codec"):
		sentence = "The audio codec of the file is not supported."
	case opened || looksLikeMedia(file.path):
		sentence = "The file is damaged or incomplete and cannot be read."
	}
	return engine.Errorf(engine.CodeBadMedia, op, "%s", sentence).Because(p.cause())
}

func canceled(ctx context.Context, op string) error {
	return engine.Errorf(engine.CodeCanceled, op, "The operation was canceled.").Because(context.Cause(ctx))
}

func internal(op string, err error) error {
	return &engine.Error{Code: engine.CodeInternal, Op: op, Err: err}
}

// missing returns the error for a program that can't be found. A search of PATH has no other cause than the message says.
func missing(op, what string, err error) error {
	if errors.Is(err, exec.ErrNotFound) {
		err = nil
	}
	return engine.Errorf(engine.CodeUnavailable, op, "%s not installed, or not in PATH.", what).Because(err).WithHint(howToInstall)
}
