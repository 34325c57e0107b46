package render

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/soundstage-dev/soundstage/engine"
)

// Probe returns what the media contain. Errors: CodeBadMedia if there is neither audio nor video, CodeUnavailable if ffprobe
// is missing or too old, or ffmpeg is missing. The duration is the container's. If the container doesn't have it (a live
// recording), only estimates it (see durationIsGuess), or has the time of its end (see durationIsEnd), Probe reads all packets. A truncated file
// keeps its original duration.
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

// inspect is Inspect for a local file.
func (f FFmpeg) inspect(ctx context.Context, op string, file localFile) (MediaFacts, error) {
	program, err := f.ffprobe(op)
	if err != nil {
		return MediaFacts{}, err
	}
	version, ok := f.Known.version(program, file)
	if !ok {
		return f.ask(ctx, op, program, file)
	}
	if facts, ok := f.Known.get(version); ok {
		return facts, nil
	}
	facts, err := f.ask(ctx, op, program, file)
	if err == nil {
		f.Known.put(version, facts)
	}
	return facts, err
}

// ask returns what ffprobe says about a file.
func (f FFmpeg) ask(ctx context.Context, op, program string, file localFile) (MediaFacts, error) {
	r, p, err := f.report(ctx, op, program, file)
	if err != nil {
		return MediaFacts{}, err
	}
	facts := r.facts()
	if facts.Audio == nil && facts.Video == nil {
		return MediaFacts{}, badMedia(op, p, file, false)
	}
	if facts.Duration == 0 || durationIsGuess(facts.Format) || r.durationIsEnd() {
		err = f.measureDuration(ctx, op, file, r, &facts.MediaInfo)
	}
	return facts, err
}

// report runs ffprobe on a file, and returns its report and the process.
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

// maxReport bounds the output of ffprobe: a title can be as long as a file.
const maxReport = 4 << 20
