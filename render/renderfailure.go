package render

import (
	"context"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// renderFailure turns the end of an encoder into an error; nil when it ended well.
func (f FFmpeg) renderFailure(ctx context.Context, op string, p *process, file localFile) error {
	end := p.wait()
	switch end {
	case succeeded:
		if !p.says("error writing trailer", "error closing file") { // old versions say so, and call it a success
			return nil
		}
	case wasLate:
		return engine.Errorf(engine.CodeUnavailable, op, "Rendering took too long.").
			WithHint("Try again later, or render a shorter part.").Because(p.cause()).Transient()
	case wasKilled:
		return engine.Errorf(engine.CodeUnavailable, op, "Rendering was stopped by the system, which may be short of memory.").
			Because(p.cause()).Transient()
	case failed:
	default:
		return failure(op, p, end, file, true)
	}
	switch {
	case p.says("no space left on device", "disk quota exceeded"):
		return noSpace(op, p.cause())
	case p.says("file too large"):
		return engine.Errorf(engine.CodeTooLarge, op, "The render is too large.").WithHint("Render a shorter part.").Because(p.cause())
	case p.says("cannot allocate memory"):
		return engine.Errorf(engine.CodeUnavailable, op, "There was not enough memory to render.").Because(p.cause()).Transient()
	case p.says("unrecognized option", "option not found", "option '", "no such filter", "unknown encoder", "error initializing filter"):
		return f.wrongBuild(ctx, op, p)
	case end == succeeded:
		return internal(op, p.cause())
	}
	return badMedia(op, p, file, true)
}

// says reports whether the process has said any of some words, which are in lower case.
func (p *process) says(words ...string) bool {
	said := strings.ToLower(p.stderr.String())
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(said, w) })
}

// wrongBuild is the error for an ffmpeg that doesn't know what a render needs: because it is too old, or because it was
// built without it.
func (f FFmpeg) wrongBuild(ctx context.Context, op string, p *process) error {
	if err := f.CheckVersion(ctx); err != nil {
		return err
	}
	return engine.Errorf(engine.CodeUnavailable, op, "This machine's ffmpeg was built without something that renders need.").
		WithHint(howToInstall).Because(p.cause())
}
