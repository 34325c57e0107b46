package render

import (
	"context"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// renderFailure converts the end of an encoder into an error, or nil if it succeeded.
func (f FFmpeg) renderFailure(ctx context.Context, op string, p *process, file localFile) error {
	end := p.wait()
	switch end {
	case succeeded:
		if !p.printed("error writing trailer", "error closing file") { // old versions print this and still exit with status 0
			return nil
		}
	case wasLate:
		return engine.Errorf(engine.CodeUnavailable, op, "Rendering took too long.").
			WithHint("Try again later, or render a shorter part.").Because(p.cause()).Transient()
	case wasCostly:
		return engine.Errorf(engine.CodeBadMedia, op, "The render needs more than %s of CPU time.", p.cpu).
			WithHint("Render a shorter part, or convert the media first.").Because(p.cause())
	case wasKilled:
		return engine.Errorf(engine.CodeUnavailable, op, "Rendering was stopped by the system, which may be short of memory.").
			Because(p.cause()).Transient()
	case failed:
	default:
		return failure(op, p, end, file, true)
	}
	switch {
	case p.printed("no space left on device", "disk quota exceeded"):
		return noSpace(op, p.cause())
	case p.printed("file too large"):
		return engine.Errorf(engine.CodeTooLarge, op, "The render is too large.").WithHint("Render a shorter part.").Because(p.cause())
	case p.printed("cannot allocate memory"):
		return engine.Errorf(engine.CodeUnavailable, op, "There was not enough memory to render.").Because(p.cause()).Transient()
	case p.printed("unrecognized option", "option not found", "option '", "no such filter", "unknown encoder", "error initializing filter"):
		return f.wrongBuild(ctx, op, p)
	case end == succeeded:
		return internal(op, p.cause())
	}
	return badMedia(op, p, file, true)
}

// printed reports whether the process has printed any of the words, given in lower case.
func (p *process) printed(words ...string) bool {
	output := strings.ToLower(p.stderr.String())
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(output, w) })
}

// wrongBuild returns the error for an ffmpeg that lacks something a render needs: it is too old, or was built without it.
func (f FFmpeg) wrongBuild(ctx context.Context, op string, p *process) error {
	if err := f.CheckVersion(ctx); err != nil {
		return err
	}
	return engine.Errorf(engine.CodeUnavailable, op, "This machine's ffmpeg was built without a library that renders need.").
		WithHint(howToInstall).Because(p.cause())
}
