package render

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/soundstage-dev/soundstage/engine"
)

// verify checks the result, because exit status 0 proves little: for a part that can't be decoded, ffmpeg writes a video
// without frames, and an unfinished file has no index. It returns the number of frames.
func (f FFmpeg) verify(ctx context.Context, op string, path string, p Plan) (frames int, err error) {
	empty := engine.Errorf(engine.CodeBadMedia, op, "Nothing could be rendered: this part of the media can't be decoded.").
		WithHint("Choose another part, or upload the media again.")
	info, err := os.Stat(path)
	if err != nil {
		return 0, internal(op, err)
	}
	if info.Size() == 0 {
		return 0, empty
	}
	var tracks []track
	switch p.request.container {
	case GIF:
		return f.verifyGIF(ctx, op, path, p, empty)
	case WebM:
		tracks, err = f.probeTracks(ctx, op, path)
	default:
		tracks, err = indexOf(op, path, info.Size())
	}
	if engine.CodeOf(err) == engine.CodeBadMedia {
		return 0, empty.Because(err)
	}
	if err != nil {
		return 0, err
	}
	v, a := only(tracks, "video"), only(tracks, "audio")
	if v == nil || a == nil {
		return 0, empty.Because(fmt.Errorf("the result has the tracks %+v", tracks))
	}
	if v.samples < p.Rate.Frames(p.Duration)-1 {
		return 0, empty.Because(fmt.Errorf("%d frames of %d", v.samples, p.Rate.Frames(p.Duration)))
	}
	video, audio := p.request.container.codecs()
	if v.codec != video || v.width != p.Width || v.height != p.Height || a.codec != audio || a.rate != 48000 {
		return 0, internal(op, fmt.Errorf("the result has the tracks %+v", tracks))
	}
	return v.samples, nil
}

// indexOf returns the tracks of an MP4 or MOV file. CodeBadMedia if it isn't complete.
func indexOf(op, path string, size int64) ([]track, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, internal(op, err)
	}
	defer func() { _ = file.Close() }()
	tracks, err := readIndex(file, size)
	switch {
	case errors.Is(err, errNoIndex):
		return nil, engine.Errorf(engine.CodeBadMedia, op, "The result can't be read.").Because(err)
	case err != nil:
		return nil, internal(op, err)
	}
	return tracks, nil
}

// probeTracks returns the tracks of a WebM file, which has no index of its frames. It returns the errors of Probe.
func (f FFmpeg) probeTracks(ctx context.Context, op, path string) (tracks []track, err error) {
	program, err := f.ffprobe(op)
	if err != nil {
		return nil, err
	}
	r, _, err := f.report(ctx, op, program, localFile{path: path})
	if err != nil {
		return nil, err
	}
	for _, s := range r.Streams {
		t := track{kind: s.Type, codec: s.Codec, width: s.Width, height: s.Height}
		if t.rate, _ = strconv.Atoi(s.SampleRate); t.kind == "video" {
			t.samples = f.countFrames(ctx, program, path)
		}
		tracks = append(tracks, t)
	}
	return tracks, nil
}

// verifyGIF checks a GIF. It returns the number of frames; the encoder leaves out those that show nothing new.
func (f FFmpeg) verifyGIF(ctx context.Context, op, path string, p Plan, empty *engine.Error) (frames int, err error) {
	program, err := f.ffprobe(op)
	if err != nil {
		return 0, err
	}
	if f.countFrames(ctx, program, path) == 0 {
		return 0, empty
	}
	return p.Rate.Frames(p.Duration), nil
}

// only returns the one track of a kind, or nil if there is none or more than one.
func only(tracks []track, kind string) *track {
	var found *track
	for i := range tracks {
		if tracks[i].kind == kind {
			if found != nil {
				return nil
			}
			found = &tracks[i]
		}
	}
	return found
}
