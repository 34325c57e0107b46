package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backends"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/fetch"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/engine/wav"
	"github.com/soundstage-dev/soundstage/render"
)

// speechFlags are the flags of commands that transcribe a file or a URL without a data folder.
type speechFlags struct {
	language     string
	speakers     int
	words        []string
	allowPrivate bool
	seed         uint64
	maxDuration  time.Duration
	wanted       backendFlags

	backends *backends.Backends // those of wanted, once they are open
}

// add adds the flags to a command.
func (o *speechFlags) add(f *pflag.FlagSet) {
	f.StringVar(&o.language, "language", "", "language `code`; default the language tag of the file, otherwise en")
	f.IntVar(&o.speakers, "speakers", 0, "expected number of speakers; 0 to detect it")
	f.StringSliceVar(&o.words, "word", nil, "`word` to boost; repeatable")
	f.BoolVar(&o.allowPrivate, "allow-private-urls", false, "also download from private addresses")
	f.Uint64Var(&o.seed, "seed", 0, "`number` that determines the invented words")
	f.DurationVar(&o.maxDuration, "max-duration", 0, maxDurationHelp)
	o.wanted.register(f)
}

// check returns CodeInvalid for a number of speakers that is out of range.
func (o *speechFlags) check(op string) error { return checkSpeakers(op, o.speakers) }

func checkSpeakers(op string, speakers int) error {
	if speakers < 0 || speakers > engine.MaxSpeakersExpected {
		return engine.Errorf(engine.CodeInvalid, op, "--speakers must be a number from 1 to %d, or 0 to detect it (got %d).", engine.MaxSpeakersExpected, speakers)
	}
	return nil
}

// openBackends creates the chosen backends.
func (o *speechFlags) openBackends(cmd *cobra.Command) (err error) {
	if o.backends, err = o.wanted.open(cmd); err != nil {
		return err
	}
	return checkMaxDuration(o.maxDuration)
}

// bar shows the fraction that is done.
type bar interface {
	set(done float64)
	end()
}

// transcribe transcribes a file or a URL with an engine in memory.
func (o speechFlags) transcribe(ctx context.Context, std streams, probed *probedMedia, what string, bar bar) (t engine.Transcript, err error) {
	ffmpeg := render.FFmpeg{}
	if err := ffmpeg.Check(ctx); err != nil {
		return t, err
	}
	dir, remove, err := render.NewTempDir("")
	if err != nil {
		return t, err
	}
	defer func() { _ = remove() }()
	blobs, err := files.New(dir, files.Options{NoSync: true})
	if err != nil {
		return t, err
	}
	transcriber, retry, err := o.transcriber(wav.Media{Fallback: ffmpeg})
	if err != nil {
		return t, err
	}
	for _, notice := range o.backends.Notices {
		fmt.Fprintln(std.err, "soundstage:", notice)
	}
	var causes bytes.Buffer // only the log has the cause of a failure, the stored error doesn't
	e, err := engine.New(engine.Config{
		Store: memory.NewStore(), Blobs: blobs, Media: probed, Diarizer: diarize.Diarizer{},
		Transcriber: transcriber, DiarizeAll: o.wanted.diarizeAll(),
		Fetcher: fetch.New(fetch.Config{AllowPrivate: o.allowPrivate}),
		Retry:   retry, MaxDuration: o.maxDuration, Deadline: o.wanted.deadline(),
		Log:      slog.New(slog.NewTextHandler(&causes, &slog.HandlerOptions{Level: slog.LevelWarn})),
		Progress: func(_ engine.TranscriptID, done float64) { bar.set(done) },
	})
	if err != nil {
		return t, err
	}
	ctx, stop := context.WithCancel(ctx)
	stopped := make(chan error, 1)
	go func() { stopped <- e.Run(ctx) }()
	defer func() {
		stop()
		if runErr := <-stopped; err == nil {
			err = runErr
		}
		if engine.CodeOf(err) == engine.CodeUnavailable {
			bar.end()
			_, _ = causes.WriteTo(std.err)
		}
	}()
	caller, err := e.CreateAccount(ctx, engine.NewAccount{})
	if err != nil {
		return t, err
	}
	t, err = o.run(ctx, e, caller, what)
	if engine.CodeOf(err) == engine.CodeUnavailable {
		err = errors.Join(ffmpeg.CheckVersion(ctx), err)
	}
	hint, silent := "", err == nil && len(t.Utterances) == 0 || engine.CodeOf(err) == engine.CodeNoSpeech
	if silent && !strings.Contains(what, "://") {
		hint = phaseHint(ctx, what)
	}
	if e, ok := errors.AsType[*engine.Error](err); ok && hint != "" {
		err = e.WithHint(hint)
	}
	if err == nil && len(t.Utterances) == 0 { // the log says so, if a model was asked and returned nothing
		bar.end()
		fmt.Fprintln(std.err, strings.TrimSpace("soundstage: the transcript is empty: no words were found. "+hint))
		_, _ = causes.WriteTo(std.err)
	}
	return t, err
}

// longestWait is how long a command that somebody waits for waits for a service that says when to come back.
const longestWait = 10 * time.Second

// transcriber returns the chosen transcriber and its retry policy. A user is waiting, so retries take only seconds, unless --retry-for says
// otherwise.
func (o speechFlags) transcriber(media engine.Media) (engine.Transcriber, queue.RetryPolicy, error) {
	retry := queue.RetryPolicy{Outage: o.wanted.retryFor, Longest: max(longestWait, o.wanted.retryFor)}
	if o.backends.NewTranscriber == nil {
		retry.Base, retry.Max = 500*time.Millisecond, 3
		fakeTranscriber := &fake.Transcriber{Media: media, Diarizer: diarize.Diarizer{}, Seed: o.seed}
		return fakeTranscriber, retry, nil
	}
	transcriber, err := o.backends.NewTranscriber(media)
	retry.Base, retry.Max = time.Second, 4
	return transcriber, retry, err
}

// run transcribes a file or a URL.
func (o speechFlags) run(ctx context.Context, e *engine.Engine, c engine.Caller, what string) (engine.Transcript, error) {
	if strings.Contains(what, "://") {
		return o.runURL(ctx, e, c, what)
	}
	return o.runFile(ctx, e, c, what)
}

func (o speechFlags) runURL(ctx context.Context, e *engine.Engine, c engine.Caller, url string) (engine.Transcript, error) {
	if _, err := fetch.CheckURL(url); err != nil {
		return engine.Transcript{}, err
	}
	t, err := e.CreateTranscript(ctx, c, engine.NewTranscript{
		URL: url, Language: transcript.Language(o.language), DetectLanguage: o.language == "", BoostedWords: o.words,
		SpeakersExpected: o.speakers,
	})
	if err != nil {
		return engine.Transcript{}, err
	}
	return e.WaitTranscript(ctx, c, t.ID)
}

func (o speechFlags) runFile(ctx context.Context, e *engine.Engine, c engine.Caller, path string) (engine.Transcript, error) {
	f, err := os.Open(path)
	if err != nil {
		return engine.Transcript{}, fileError(path, err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	if err != nil {
		return engine.Transcript{}, fileError(path, err)
	}
	if info.Size() == 0 {
		return engine.Transcript{}, engine.Errorf(engine.CodeBadMedia, "transcribe", "The file %s is empty.", path)
	}
	if _, err := e.UpdateSpace(ctx, c, c.DefaultSpaceID, func(s *engine.Space) error {
		s.BoostedWords = o.words
		return nil
	}); err != nil {
		return engine.Transcript{}, err
	}
	u, err := e.CreateUpload(ctx, c, engine.NewUpload{Filename: "media", ContentType: "application/octet-stream", Size: info.Size()})
	if err == nil {
		_, err = e.ReceiveUpload(ctx, u.ID, f)
	}
	if err != nil {
		return engine.Transcript{}, err
	}
	r, _, err := e.CreateRecording(ctx, c, engine.NewRecording{
		ObjectID: u.ID, Language: transcript.Language(o.language), DetectLanguage: o.language == "", SpeakersExpected: o.speakers,
	})
	if err == nil {
		r, err = e.WaitRecording(ctx, c, r.ID)
	}
	if err != nil {
		return engine.Transcript{}, err
	}
	t, err := e.GetRecordingTranscript(ctx, c, r.ID)
	return engine.Transcript{ID: t.Recording.TranscriptID, Transcript: t.Transcript}, err
}
