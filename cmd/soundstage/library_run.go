package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backends"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/feed"
	"github.com/soundstage-dev/soundstage/engine/fetch"
	"github.com/soundstage-dev/soundstage/engine/media"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/wav"
	"github.com/soundstage-dev/soundstage/engine/writer"
	"github.com/soundstage-dev/soundstage/render"
)

// workFlags are the flags of commands that do the work of a library: transcriptions and renders.
type workFlags struct {
	library      libraryFlags
	backends     backendFlags
	maxDuration  time.Duration
	allowPrivate bool
	log          string
}

// add adds the flags to a command.
func (w *workFlags) add(f *pflag.FlagSet) {
	w.library.add(f)
	w.addWork(f)
}

// addWork adds the flags without those of the library.
func (w *workFlags) addWork(f *pflag.FlagSet) {
	f.DurationVar(&w.maxDuration, "max-duration", 0, maxDurationHelp)
	f.BoolVar(&w.allowPrivate, "allow-private-urls", false, "also download from private addresses")
	f.StringVar(&w.log, "log", "off", "log of the work on standard error: `text`, json, or off")
	w.backends.register(f)
}

// worker is a library whose work is being done.
type worker struct {
	*library
	ffmpeg   render.FFmpeg
	media    engine.Media // with limits
	progress *libraryProgress
}

// run opens or creates the library, does its work, and calls fn. patient is whether failed attempts are repeated for as long as a server
// does, instead of seconds because somebody waits.
func (w *workFlags) run(cmd *cobra.Command, patient bool, std streams, fn func(context.Context, *worker) error) (err error) {
	made, err := w.backends.open(cmd)
	if err != nil {
		return err
	}
	if err := errors.Join(w.library.check(cmd), checkMaxDuration(w.maxDuration)); err != nil {
		return err
	}
	if err := (render.FFmpeg{}).Check(cmd.Context()); err != nil {
		return err
	}
	for _, notice := range made.Notices {
		fmt.Fprintln(std.err, "soundstage:", notice)
	}
	return w.open(cmd.Context(), made, patient, std, func(ctx context.Context, this *worker) error {
		return this.work(ctx, func(ctx context.Context) error { return fn(ctx, this) })
	})
}

// open opens or creates the library and calls fn. The work is done while fn calls work.
func (w *workFlags) open(ctx context.Context, made *backends.Backends, patient bool, std streams, fn func(context.Context, *worker) error) (err error) {
	dir, ffmpeg := w.library.data, render.FFmpeg{Known: new(render.KnownMedia)}
	if err := makeLibraryDir(dir); err != nil {
		return err
	}
	remove, err := scratch(&ffmpeg, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	this := &worker{ffmpeg: ffmpeg, media: media.Limit(wav.Media{Fallback: ffmpeg}, w.maxDuration), progress: newLibraryProgress(std.err)}
	defer this.progress.end()
	c, err := w.config(made, ffmpeg, this, patient, std)
	if err != nil {
		return err
	}
	return openLibrary(ctx, dir, c, func(ctx context.Context, l *library) error {
		l.patient = patient
		this.library = l
		return fn(ctx, this)
	})
}

// scratch gives ffmpeg a temporary folder in the data folder. It removes the folders of killed processes.
func scratch(ffmpeg *render.FFmpeg, dir string) (remove func() error, err error) {
	parent := filepath.Join(dir, "tmp")
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return nil, engine.Errorf(engine.CodeUnavailable, "library", "The data folder %s can't be used.", dir).WithHint("Choose a writable folder.").Because(err)
	}
	ffmpeg.TempDir, remove, err = render.NewTempDir(parent)
	return remove, err
}

// config returns the ports of the library's engine. They are those of a sandbox, because the folder may have unfinished work of one.
func (w *workFlags) config(made *backends.Backends, ffmpeg render.FFmpeg, this *worker, patient bool, std streams) (engine.Config, error) {
	transcriber, retry, err := speechFlags{backends: made, wanted: w.backends}.transcriber(this.media)
	if err != nil {
		return engine.Config{}, err
	}
	if patient {
		retry = queue.RetryPolicy{Outage: w.backends.retryFor}
	}
	log, err := newLog(w.log, std.err)
	if err != nil {
		return engine.Config{}, err
	}
	reach := fetch.Config{AllowPrivate: w.allowPrivate}
	downloads := fetch.New(reach)
	c := engine.Config{
		Media: this.media, Transcriber: transcriber, Diarizer: diarize.Diarizer{}, DiarizeAll: w.backends.diarizeAll(),
		Renderer: render.Renderer{FFmpeg: ffmpeg}, Fetcher: downloads, Feeds: feed.New(downloads), Sender: fetch.NewSender(reach),
		LLM: writer.LLM{}, Translator: fake.Translator{},
		Retry: retry, MaxDuration: w.maxDuration, Deadline: w.backends.deadline(), Log: log, Progress: this.progress.transcribing,
	}
	if made.LLM != nil {
		c.LLM, c.Translator = made.LLM, made.Translator
	}
	return c, nil
}

// work runs the engine while fn runs. If the engine stops early, or the disk stays full and the library isn't patient, fn ends with the
// cause.
func (l *library) work(ctx context.Context, fn func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if !l.patient {
		defer l.store.onFull(cancel)()
	}
	stopped := make(chan error, 1)
	go func() {
		err := l.Run(ctx)
		cancel(err)
		stopped <- err
	}()
	err := fn(ctx)
	if cause := context.Cause(ctx); err != nil && engine.CodeOf(cause) == engine.CodeNoSpace {
		err = cause
	}
	cancel(nil)
	if runErr := <-stopped; runErr != nil {
		return runErr
	}
	return err
}
