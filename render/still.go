package render

import (
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	ffmpeg "github.com/u2takey/ffmpeg-go"

	"github.com/soundstage-dev/soundstage/engine"
)

// Still writes one frame of a render as a JPEG, without the rest of it: that of the loudest moment that has a caption, which Render returns
// as Poster. It takes little time, wherever the window is, for somebody who chooses a style. A crop that follows faces looks for them only in
// the second before and after the frame, so it may show another person than the video. The result has no Frames, no Size, and no
// Duration. Errors are those of Render.
func (f FFmpeg) Still(ctx context.Context, src engine.Source, r Request, w io.Writer) (Result, error) {
	const op = "Still"
	if err := f.Check(ctx); err != nil {
		return Result{}, err
	}
	file, err := f.local(ctx, op, src)
	if err != nil {
		return Result{}, err
	}
	defer file.remove()
	plan, err := f.plan(ctx, op, file, r, &progress{})
	if err != nil {
		return Result{}, err
	}
	if plan.follows() {
		if err := f.watchStill(ctx, op, file, &plan); err != nil {
			return Result{}, err
		}
	}
	plan.showOnly(plan.Poster)
	picture, err := f.drawStill(ctx, op, file, &plan)
	if err != nil {
		return Result{}, err
	}
	if err := jpeg.Encode(w, picture, &jpeg.Options{Quality: posterQuality}); err != nil {
		return Result{}, sourceError(op, err)
	}
	return plan.result(), nil
}

// result returns what is known of a render before it is made.
func (p *Plan) result() Result {
	return Result{
		Width: p.Width, Height: p.Height, Audiogram: p.Audiogram, Poster: p.Poster, Captions: len(p.Cues), Fast: p.Fast, ReadingSpeed: p.ReadingSpeed,
		Message: strings.Join(p.Notes, " "),
	}
}

// showOnly reduces the plan to one frame. Everything in it keeps the time that it has in the whole video.
func (p *Plan) showOnly(moment time.Duration) {
	n := int(moment.Seconds() * p.Rate.perSecond())
	p.still = &n
	at := time.Duration(float64(n) / p.Rate.perSecond() * float64(time.Second))
	p.cut = cutOf(p.facts.Format, p.request.Window.Start+at, stillLength)
}

// stillLength is how much of the media is read for one frame: pictures with a low rate have a frame in it.
const stillLength = time.Second

// atItsTime gives the first frame of v the time of a still.
func (p Plan) atItsTime(v *ffmpeg.Stream) *ffmpeg.Stream {
	return v.Filter("settb", ffmpeg.Args{fmt.Sprintf("%d/%d", p.Rate.Den, p.Rate.Num)}).Filter("setpts", ffmpeg.Args{fmt.Sprintf("N+%d", *p.still)})
}

// stillArgs returns the arguments of ffmpeg for the plan's only frame, which it writes to standard output.
func (p Plan) stillArgs(in string, threads int) ([]string, error) {
	return compile(func() *ffmpeg.Stream {
		common := ffmpeg.KwArgs{"v": "warning", "threads": threads, "nostdin": "", "hide_banner": ""}
		var v *ffmpeg.Stream
		if p.Audiogram {
			v = p.audiogramPicture(pngInput(backgroundFile))
		} else {
			v = p.clipPicture(ffmpeg.Input(fileURL(in), p.cut.input(common)).Get(fmt.Sprint(p.facts.Picture.Stream)))
		}
		// The frames are those of the video, so their colours are converted as a player would.
		return v.Filter("scale", nil, ffmpeg.KwArgs{"in_color_matrix": "bt709", "in_range": "tv", "out_range": "pc"}).
			Filter("format", ffmpeg.Args{"rgba"}).
			Output("pipe:1", ffmpeg.KwArgs{"format": "rawvideo", "frames:v": 1, "filter_complex_threads": threads})
	})
}

// drawStill runs ffmpeg in a new folder with the plan's files, and adds to the plan's notes.
func (f FFmpeg) drawStill(ctx context.Context, op string, file localFile, p *Plan) (image.Image, error) {
	folder, err := os.MkdirTemp(f.TempDir, "soundstage-*.render")
	if err != nil {
		return nil, writeError(op, err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	if folder, err = filepath.Abs(folder); err != nil {
		return nil, internal(op, err)
	}
	if err := f.writeFiles(ctx, op, file, p, folder); err != nil {
		return nil, err
	}
	program, err := f.ffmpeg(op)
	if err == nil {
		program, err = filepath.Abs(program) // ffmpeg runs in another folder
	}
	if err != nil {
		return nil, err
	}
	args, err := p.stillArgs(file.path, f.threads())
	if err != nil {
		return nil, internal(op, err)
	}
	var missing missingGlyphs
	process, err := f.launch(ctx, command{program: program, args: args, folder: folder, threads: f.threads(), errors: &missing})
	if err != nil {
		return nil, startError(ctx, op, err)
	}
	defer process.close()
	picture := image.NewRGBA(image.Rect(0, 0, p.Width, p.Height))
	n, _ := io.ReadFull(process, picture.Pix)
	if err := f.renderFailure(ctx, op, process, file); err != nil {
		return nil, err
	}
	if n != len(picture.Pix) {
		return nil, engine.Errorf(engine.CodeBadMedia, op, "The media has no picture at this moment.").Because(process.cause())
	}
	if note := missing.note(); note != "" {
		p.Notes = append(p.Notes, note)
	}
	return picture, nil
}
