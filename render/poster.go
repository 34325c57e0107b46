package render

import (
	"context"
	"image"
	"image/jpeg"
	"io"
	"strconv"
	"time"

	ffmpeg "github.com/u2takey/ffmpeg-go"

	"github.com/soundstage-dev/soundstage/engine"
)

// posterQuality is the JPEG quality.
const posterQuality = 85

// Loudest returns the loudest moment of a window that has a caption, from the start of the window, or the middle if there
// are no captions. It equals Result.Poster of the request's render. The media may also be the finished render, with a window
// that starts at 0. It returns the errors of Probe and NewPlan.
func (f FFmpeg) Loudest(ctx context.Context, src engine.Source, r Request) (time.Duration, error) {
	const op = "Loudest"
	file, err := f.local(ctx, op, src)
	if err != nil {
		return 0, err
	}
	defer file.remove()
	p, err := f.plan(ctx, op, file, r, &progress{})
	return p.Poster, err
}

// Poster writes one moment of a video, such as Result.Poster, as a JPEG at most width pixels wide; 0 means the video's
// width. Go encodes the JPEG, so that it is the same on every machine. Errors are those of Probe, and CodeBadMedia if there
// is no picture at that moment.
func (f FFmpeg) Poster(ctx context.Context, src engine.Source, at time.Duration, width int, w io.Writer) error {
	const op = "Poster"
	program, err := f.ffmpeg(op)
	if err != nil {
		return err
	}
	file, err := f.local(ctx, op, src)
	if err != nil {
		return err
	}
	defer file.remove()
	facts, err := f.inspect(ctx, op, file)
	if err != nil {
		return err
	}
	if facts.Picture == nil {
		return engine.Errorf(engine.CodeBadMedia, op, "The media has no picture.")
	}
	shown := facts.displayed()
	if width > 0 && width < shown.w {
		shown = even(float64(width), float64(shown.h)*float64(width)/float64(shown.w))
	}
	args, err := compile(func() *ffmpeg.Stream {
		c := cut{seek: max(at-facts.Picture.Rate.frame(), 0), length: time.Second}
		return ffmpeg.Input(fileURL(file.path), c.input(ffmpeg.KwArgs{"nostdin": "", "hide_banner": "", "an": "", "sn": "", "dn": ""})).
			Get(strconv.Itoa(facts.Picture.Stream)).
			Filter("scale", ffmpeg.Args{strconv.Itoa(shown.w) + ":" + strconv.Itoa(shown.h)}).
			Output("pipe:1", ffmpeg.KwArgs{"format": "rawvideo", "pix_fmt": "rgba", "frames:v": 1})
	})
	if err != nil {
		return internal(op, err)
	}
	p, err := f.start(ctx, program, args)
	if err != nil {
		return startError(ctx, op, err)
	}
	defer p.close()
	img := image.NewRGBA(image.Rect(0, 0, shown.w, shown.h))
	n, _ := io.ReadFull(p, img.Pix)
	if err := failure(op, p, p.wait(), file, true); err != nil {
		return err
	}
	if n != len(img.Pix) {
		return engine.Errorf(engine.CodeBadMedia, op, "The media has no picture at this moment.").Because(p.cause())
	}
	if err := jpeg.Encode(w, img, &jpeg.Options{Quality: posterQuality}); err != nil {
		return sourceError(op, err)
	}
	return nil
}
