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
	Audiogram     bool          // it shows the audio, not the media's picture
	Poster        time.Duration // the moment to use as poster: see FFmpeg.Poster
	Captions      int           // how many there are
	Fast          []Cue         // captions that are too fast to read, in media time; see Plan.Fast
	ReadingSpeed  float64       // that Fast exceeds, in characters per second; 0 without captions
	Message       string        // a note for the user, such as characters that no font has; usually ""
}

// maxResult limits the size of a result. Three minutes of noise at 1080 × 1920 take 500 MB.
const maxResult = 1 << 30

// Render writes a video of a window of the media to the path out, whose extension says in which Container. The video is a captioned clip, or an audiogram if there is
// only audio or the style asks for one. The file appears complete or not at all, and replaces an existing one. Render calls
// report, if not nil, in this goroutine with a fraction that never decreases, and a progress message. The fraction is 1 only
// when the file is in place.
//
// It returns the errors of Probe and NewPlan, CodeBadMedia if this part can't be decoded, CodeInvalid if out can't be
// written, CodeNoSpace, and CodeCanceled when ctx has ended. CodeUnavailable means that ffmpeg is missing, too old, built
// without a needed library, too slow, or was killed by the system; the last two are transient.
func (f FFmpeg) Render(ctx context.Context, src engine.Source, r Request, out string, report func(fraction float64, message string)) (Result, error) {
	const op = "Render"
	var err error
	if r.container, err = ContainerOf(out); err != nil {
		return Result{}, err
	}
	if err := f.Check(ctx); err != nil {
		return Result{}, err
	}
	reporter := progress{report: report}
	reporter.update(0, MsgInspecting)
	file, err := f.local(ctx, op, src)
	if err != nil {
		return Result{}, err
	}
	defer file.remove()
	plan, err := f.plan(ctx, op, file, r, &reporter)
	if err != nil {
		return Result{}, err
	}
	if plan.follows() {
		reporter.update(0.05, MsgFocusing)
		path, err := f.watch(ctx, op, file, plan, func(done float64) { reporter.update(0.05+0.15*done, MsgFocusing) })
		if err != nil {
			return Result{}, err
		}
		plan.follow(path)
		plan.notePath()
	}
	unfinished, err := newPart(op, out)
	if err != nil {
		return Result{}, err
	}
	defer unfinished.remove()
	if err := f.encode(ctx, op, file, &plan, unfinished.path, &reporter); err != nil {
		return Result{}, err
	}
	reporter.update(0.97, MsgChecking)
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
		Poster: plan.Poster, Captions: len(plan.Cues), Fast: plan.Fast, ReadingSpeed: plan.ReadingSpeed, Message: strings.Join(plan.Notes, " "),
	}
	if info, err := os.Stat(unfinished.out); err == nil {
		result.Size = info.Size()
	}
	reporter.update(1, MsgDone)
	return result, nil
}

// plan inspects the media, measures the audio, and then decides everything.
func (f FFmpeg) plan(ctx context.Context, op string, file localFile, r Request, reporter *progress) (Plan, error) {
	facts, err := f.inspect(ctx, op, file)
	if err != nil {
		return Plan{}, err
	}
	inside, err := r.within(facts)
	if err != nil {
		return Plan{}, err
	}
	reporter.update(0.02, MsgMeasuring)
	sound, err := f.measure(ctx, op, file, facts, inside.Window, func(done float64) {
		reporter.update(0.02+0.03*min(done, 1), MsgMeasuring)
	})
	if err != nil {
		return Plan{}, err
	}
	reporter.update(0.05, MsgRendering)
	p, err := NewPlan(facts, sound, r)
	if err == nil {
		err = f.measureLook(ctx, op, &p)
	}
	return p, err
}

// encode runs ffmpeg in a new folder with the plan's files, and adds to the plan's notes.
func (f FFmpeg) encode(ctx context.Context, op string, file localFile, p *Plan, out string, reporter *progress) error {
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
	if program, err = filepath.Abs(program); err != nil { // ffmpeg runs in another folder
		return internal(op, err)
	}
	args, err := p.Args(file.path, out, f.threads())
	if err != nil {
		return internal(op, err)
	}
	var missing missingGlyphs
	process, err := f.launch(ctx, command{
		program: program, args: args, folder: folder, fileSize: maxResult, timeout: f.encodeTimeout(p.Duration), threads: f.threads(),
		errors: &missing,
	})
	if err != nil {
		return startError(ctx, op, err)
	}
	defer process.close()
	reporter.follow(process, p.Duration, max(0.05, reporter.last), 0.97)
	if err := f.renderFailure(ctx, op, process, file); err != nil {
		return err
	}
	if note := missing.note(); note != "" {
		p.Notes = append(p.Notes, note)
	}
	return nil
}

// encodeTimeout returns the time limit for encoding a length.
func (f FFmpeg) encodeTimeout(length time.Duration) time.Duration {
	if f.Timeout > 0 {
		return f.Timeout
	}
	return time.Minute + 8*length
}

// writeFiles writes the files that ffmpeg reads besides the media.
func (f FFmpeg) writeFiles(ctx context.Context, op string, file localFile, p *Plan, folder string) error {
	cover, err := f.decodeCover(ctx, op, file, p)
	if err != nil {
		return err
	}
	if p.Audiogram {
		if err := p.drawBackground(ctx, op, folder, cover); err != nil {
			return err
		}
	}
	if err := p.writeCover(ctx, op, folder, cover); err != nil {
		return err
	}
	if err := p.writeFont(folder); err != nil {
		return writeError(op, err)
	}
	if err := p.writePictures(ctx, folder); err != nil {
		return pictureError(ctx, op, err)
	}
	files := map[string]string{barsFile: p.Bars, metadataFile: p.metadataText()}
	for _, l := range p.layers {
		files[l.textFile()] = l.text
		if l.height == 0 { // it is drawn into the frames
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
