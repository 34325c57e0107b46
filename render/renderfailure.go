package render

import (
	"context"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// oldest is the first version of ffmpeg that has all that a render uses.
const oldest = 5

// renderFailure turns the end of an encoder into an error; nil when it ended well.
func (f FFmpeg) renderFailure(ctx context.Context, op string, p *process, file localFile, program string) error {
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
		return f.wrongBuild(ctx, op, p, program)
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
func (f FFmpeg) wrongBuild(ctx context.Context, op string, p *process, program string) error {
	const how = "Install FFmpeg 5 or newer with libass and libx264: apt install ffmpeg (Debian, Ubuntu), brew install ffmpeg (macOS), winget install ffmpeg (Windows)."
	version := f.version(ctx, program)
	if major, _, ok := strings.Cut(version, "."); ok {
		if n, err := strconv.Atoi(major); err == nil && n < oldest {
			return engine.Errorf(engine.CodeUnavailable, op, "This machine's FFmpeg is too old: it is %s, and %d or newer is needed.", version, oldest).
				WithHint(how).Because(p.cause())
		}
	}
	return engine.Errorf(engine.CodeUnavailable, op, "This machine's FFmpeg was built without something that renders need.").
		WithHint(how).Because(p.cause())
}

var versionLine = regexp.MustCompile(`^ffmpeg version n?([0-9]+\.[0-9][0-9A-Za-z.]*)`)

// version returns ffmpeg's version, "5.1.9"; "" when it is one that has no number, or says nothing.
func (f FFmpeg) version(ctx context.Context, program string) string {
	p, err := f.start(ctx, program, []string{"-version"})
	if err != nil {
		return ""
	}
	defer p.close()
	head := make([]byte, 200)
	n, err := io.ReadFull(p, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return ""
	}
	if m := versionLine.FindSubmatch(head[:n]); m != nil {
		return string(m[1])
	}
	return ""
}
