package render

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// Result describes a finished render.
type Result struct {
	Width, Height int
	Frames        int
	Duration      time.Duration
	Size          int64         // bytes
	Audiogram     bool          // it shows the sound, not the media's picture
	Poster        time.Duration // the moment that stands for it: see FFmpeg.Poster
	Message       string        // what the user should know, such as characters that no font has; "" mostly
}

// maxResult is how large a result may be. Three minutes of noise at 1080 by 1920 have 500 MB.
const maxResult = 1 << 30

// Render makes an MP4 of a window of the media, at the path out: a captioned clip, or an audiogram where there is only
// sound or the style asks for it. The file appears whole, or not at all; one that was there before is replaced. tell,
// which may be nil, is called in this goroutine with a fraction that never falls and one of the messages; it is 1 only
// when the file is in its place.
//
// Errors: those of Probe and of NewPlan; CodeBadMedia when this part can't be decoded; CodeInvalid when out can't be
// written; CodeNoSpace; CodeCanceled when ctx has ended; CodeUnavailable when ffmpeg is missing, too old, built without
// what is needed, too slow, or was stopped by the system, the last two of which may be retried.
func (f FFmpeg) Render(ctx context.Context, src engine.Source, r Request, out string, tell func(fraction float64, message string)) (Result, error) {
	const op = "Render"
	if err := f.Check(ctx); err != nil {
		return Result{}, err
	}
	told := progress{tell: tell}
	told.at(0, MsgLooking)
	file, err := f.local(ctx, op, src)
	if err != nil {
		return Result{}, err
	}
	defer file.remove()
	plan, err := f.plan(ctx, op, file, r, &told)
	if err != nil {
		return Result{}, err
	}
	unfinished, err := newPart(op, out)
	if err != nil {
		return Result{}, err
	}
	defer unfinished.remove()
	if err := f.encode(ctx, op, file, &plan, unfinished.path, &told); err != nil {
		return Result{}, err
	}
	told.at(0.97, MsgChecking)
	frames, err := f.verify(ctx, op, unfinished.path, plan)
	if err != nil {
		return Result{}, err
	}
	if ctx.Err() != nil {
		return Result{}, canceled(ctx, op)
	}
	if err := unfinished.finish(op); err != nil {
		return Result{}, err
	}
	result := Result{
		Width: plan.Width, Height: plan.Height, Frames: frames, Duration: plan.Duration, Audiogram: plan.Audiogram,
		Poster: plan.Poster, Message: strings.Join(plan.Notes, " "),
	}
	if info, err := os.Stat(unfinished.out); err == nil {
		result.Size = info.Size()
	}
	told.at(1, MsgDone)
	return result, nil
}

// plan looks at the media and listens to it, and then decides everything.
func (f FFmpeg) plan(ctx context.Context, op string, file localFile, r Request, told *progress) (Plan, error) {
	facts, err := f.inspect(ctx, op, file)
	if err != nil {
		return Plan{}, err
	}
	inside, err := r.within(facts)
	if err != nil {
		return Plan{}, err
	}
	told.at(0.02, MsgListening)
	heard, err := f.listen(ctx, op, file, facts, inside.Window, func(done float64) {
		told.at(0.02+0.03*min(done, 1), MsgListening)
	})
	if err != nil {
		return Plan{}, err
	}
	told.at(0.05, MsgRendering)
	return NewPlan(facts, heard, r)
}

// encode runs ffmpeg in a folder of its own that has the plan's files, and adds to the plan's notes.
func (f FFmpeg) encode(ctx context.Context, op string, file localFile, p *Plan, out string, told *progress) error {
	folder, err := os.MkdirTemp(f.TempDir, "soundstage-*.render")
	if err != nil {
		return writeError(op, err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	if folder, err = filepath.Abs(folder); err != nil {
		return internal(op, err)
	}
	if err := f.writeFiles(ctx, op, file, p, folder); err != nil {
		return err
	}
	program, err := f.ffmpeg(op)
	if err != nil {
		return err
	}
	if program, err = filepath.Abs(program); err != nil { // it runs in another folder
		return internal(op, err)
	}
	args, err := p.Args(file.path, out, f.threads())
	if err != nil {
		return internal(op, err)
	}
	var missing missingGlyphs
	process, err := f.launch(ctx, command{
		program: program, args: args, folder: folder, fileSize: maxResult, patience: f.patience(p.Duration), errors: &missing,
	})
	if err != nil {
		return startError(ctx, op, err)
	}
	defer process.close()
	told.follow(process, p.Duration, 0.05, 0.97)
	if err := f.renderFailure(ctx, op, process, file); err != nil {
		return err
	}
	if note := missing.note(); note != "" {
		p.Notes = append(p.Notes, note)
	}
	return nil
}

// patience is how long the encoding of a length may take.
func (f FFmpeg) patience(length time.Duration) time.Duration {
	if f.Timeout > 0 {
		return f.Timeout
	}
	return time.Minute + 8*length
}

// writeFiles writes what ffmpeg reads beside the media.
func (f FFmpeg) writeFiles(ctx context.Context, op string, file localFile, p *Plan, folder string) error {
	if p.Audiogram {
		ground, err := os.OpenFile(filepath.Join(folder, backgroundFile), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return writeError(op, err)
		}
		err = f.drawBackground(ctx, op, file, p, ground)
		if closeErr := ground.Close(); err == nil && closeErr != nil {
			err = writeError(op, closeErr)
		}
		if err != nil {
			return err
		}
	}
	files := map[string]string{barsFile: p.Bars}
	for _, l := range p.layers {
		files[l.textFile()] = l.text
		if l.height == 0 { // it is drawn into the frames themselves
			continue
		}
		var canvas strings.Builder
		if err := l.writeCanvas(&canvas, p.Width); err != nil {
			return internal(op, err)
		}
		files[l.canvasFile()] = canvas.String()
	}
	for name, content := range files {
		if content == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			return writeError(op, err)
		}
	}
	return nil
}
