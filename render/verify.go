package render

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"github.com/soundstage-dev/soundstage/engine"
)

// verify checks the result, because exit status 0 proves little: for a part that can't be decoded, ffmpeg writes a video
// without frames. It returns the number of frames.
func (f FFmpeg) verify(ctx context.Context, op string, path string, p Plan) (frames int, err error) {
	program, err := f.ffprobe(op)
	if err != nil {
		return 0, err
	}
	empty := engine.Errorf(engine.CodeBadMedia, op, "Nothing could be rendered: this part of the media can't be decoded.").
		WithHint("Choose another part, or upload the media again.")
	info, err := os.Stat(path)
	if err != nil {
		return 0, internal(op, err)
	}
	if info.Size() == 0 {
		return 0, empty
	}
	file := localFile{path: path}
	container := p.request.container
	if container == GIF { // our own; media of users is never opened as one
		return f.verifyGIF(ctx, op, program, path, p, empty)
	}
	r, process, err := f.report(ctx, op, program, file)
	if err != nil {
		if engine.CodeOf(err) == engine.CodeBadMedia {
			return 0, empty.Because(err)
		}
		return 0, err
	}
	v, a := r.only("video"), r.only("audio")
	if v == nil || a == nil {
		return 0, empty.Because(process.cause())
	}
	if frames, _ = strconv.Atoi(v.Frames); container == WebM {
		frames = f.countFrames(ctx, program, path)
	}
	if frames < p.Rate.Frames(p.Duration)-1 {
		return 0, empty.Because(fmt.Errorf("%d frames of %d", frames, p.Rate.Frames(p.Duration)))
	}
	video, audio := container.codecs()
	if v.Codec != video || v.Width != p.Width || v.Height != p.Height || v.PixelFormat != "yuv420p" || a.Codec != audio || a.SampleRate != "48000" {
		return 0, internal(op, fmt.Errorf("the result is %s %dx%d %s and %s %s Hz", v.Codec, v.Width, v.Height, v.PixelFormat, a.Codec, a.SampleRate))
	}
	return frames, nil
}

// verifyGIF checks a GIF. It returns the number of frames; the encoder leaves out those that show nothing new.
func (f FFmpeg) verifyGIF(ctx context.Context, op, program, path string, p Plan, empty *engine.Error) (frames int, err error) {
	if frames = f.countFrames(ctx, program, path); frames == 0 {
		return 0, empty
	}
	return p.Rate.Frames(p.Duration), nil
}

// only returns the one stream of a kind besides a cover, or nil if there is none or more than one.
func (r report) only(kind string) *stream {
	var found *stream
	for i := range r.Streams {
		if r.Streams[i].Type == kind && r.Streams[i].Disposition["attached_pic"] == 0 {
			if found != nil {
				return nil
			}
			found = &r.Streams[i]
		}
	}
	return found
}
