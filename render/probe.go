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
func (f FFmpeg) Probe(ctx context.Context, src engine.Source) (engine.MediaInfo, error) {
	const op = "Probe"
	program, err := f.ffprobe(op)
	if err != nil {
		return engine.MediaInfo{}, err
	}
	file, err := f.local(ctx, op, src)
	if err != nil {
		return engine.MediaInfo{}, err
	}
	defer file.remove()
	p, err := f.start(ctx, program, probeArgs(file.path))
	if err != nil {
		return engine.MediaInfo{}, startError(ctx, op, err)
	}
	defer p.close()
	out, _ := io.ReadAll(io.LimitReader(p, maxReport))
	if len(out) == maxReport {
		return engine.MediaInfo{}, engine.Errorf(engine.CodeBadMedia, op, "The file's tags are too large.")
	}
	if err := failure(op, p, p.wait(), file, false); err != nil {
		return engine.MediaInfo{}, err
	}
	var r report
	if err := json.Unmarshal(out, &r); err != nil {
		return engine.MediaInfo{}, internal(op, errors.Join(err, p.cause()))
	}
	info := r.mediaInfo()
	if info.Audio == nil && info.Video == nil {
		return engine.MediaInfo{}, badMedia(op, p, file, false)
	}
	if info.Duration == 0 || durationIsGuess(info.Format) {
		err = f.countDuration(ctx, op, program, file, r, &info)
	}
	return info, err
}

// maxReport bounds what ffprobe may tell: a title can be as long as a file.
const maxReport = 4 << 20
