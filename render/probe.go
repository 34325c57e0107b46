package render

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/soundstage-dev/soundstage/engine"
)

// Probe says what is in the media: CodeBadMedia when nothing in it can be heard or seen. The duration is what the
// container says; it is counted packet by packet when the container doesn't know (a stream that was recorded live) or
// only guesses (see durationIsGuess). A file that was cut off still has the duration it was meant to have.
// CodeUnavailable when ffprobe is missing or too old.
func (f FFmpeg) Probe(ctx context.Context, src engine.Source) (engine.MediaInfo, error) {
	const op = "Probe"
	if _, err := f.ffprobe(op); err != nil {
		return engine.MediaInfo{}, err
	}
	file, err := f.local(ctx, op, src)
	if err != nil {
		return engine.MediaInfo{}, err
	}
	defer file.remove()
	facts, err := f.inspect(ctx, op, file)
	return facts.MediaInfo, err
}

// inspect looks into a file of this machine.
func (f FFmpeg) inspect(ctx context.Context, op string, file localFile) (Facts, error) {
	program, err := f.ffprobe(op)
	if err != nil {
		return Facts{}, err
	}
	r, p, err := f.report(ctx, op, program, file)
	if err != nil {
		return Facts{}, err
	}
	facts := r.facts()
	if facts.Audio == nil && facts.Video == nil {
		return Facts{}, badMedia(op, p, file, false)
	}
	if facts.Duration == 0 || durationIsGuess(facts.Format) {
		err = f.countDuration(ctx, op, program, file, r, &facts.MediaInfo)
	}
	return facts, err
}

// report is what ffprobe says about a file, with the process that said it.
func (f FFmpeg) report(ctx context.Context, op, program string, file localFile) (report, *process, error) {
	p, err := f.start(ctx, program, probeArgs(file.path))
	if err != nil {
		return report{}, nil, startError(ctx, op, err)
	}
	defer p.close()
	out, _ := io.ReadAll(io.LimitReader(p, maxReport))
	if len(out) == maxReport {
		return report{}, p, engine.Errorf(engine.CodeBadMedia, op, "The file's tags are too large.")
	}
	if err := failure(op, p, p.wait(), file, false); err != nil {
		return report{}, p, err
	}
	var r report
	if err := json.Unmarshal(out, &r); err != nil {
		return report{}, p, internal(op, errors.Join(err, p.cause()))
	}
	return r, p, tooOld(op, "ffprobe", r.Program.Version)
}

// maxReport bounds what ffprobe may tell: a title can be as long as a file.
const maxReport = 4 << 20
