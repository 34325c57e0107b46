package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backends"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/fetch"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/render"
)

// transcribeFlags are the parsed flags of `soundstage transcribe`.
type transcribeFlags struct {
	language     string
	speakers     int
	words        []string
	format       string
	output       string
	noTimestamps bool
	allowPrivate bool
	seed         uint64
	names        speakerNames
	open         bool
	maxDuration  time.Duration
	deadline     func(time.Duration) time.Duration
	retryFor     time.Duration

	diarizeAll bool
	backends   *backends.Backends
}

func newTranscribe(std streams) *cobra.Command {
	var o transcribeFlags
	var wanted backendFlags
	cmd := &cobra.Command{
		Use:   "transcribe FILE|URL",
		Short: "Transcribe a media file or URL",
		Long: `Transcribes any media file that ffmpeg reads, or a public HTTP(S) URL, and writes the transcript to standard output or a file.
Without --transcriber, the words are invented (see soundstage --help); times and speakers follow the sound.

With --open, it writes a page that plays the media with its transcript, and opens it in the browser. A click on a word goes there. The page
is one file that refers to the media by its path or URL, and loads nothing else. It is next to the output file or the media file, as
NAME.player.html, or is the output file if that is .html and --format is not set. Without -o and --format, nothing else is written. An
earlier page of --open is replaced; another file of that name is not.

` + backendHelp + `
Exit codes: 2 wrong flags, 3 no such file, 4 another file has the name of the page, 5 ffmpeg is missing, the transcriber doesn't work, or a
file can't be written, 6 the media can't be used, 7 the URL can't be downloaded.`,
		Example: `  soundstage transcribe interview.mp4
  soundstage transcribe talk.mp4 --open
  soundstage transcribe talk.mp3 --language de --speakers 1 --format srt
  soundstage transcribe https://media.example/talk.m4a -o talk.vtt
  soundstage transcribe talk.mp3 --transcriber whispercpp --transcriber-url http://127.0.0.1:8080
  soundstage transcribe talk.mp3 --transcriber openai --transcriber-key-file ~/.openai-key -o talk.srt
  soundstage transcribe talk.mp3 --transcriber command --transcriber-command '["whisper-cli","-m","ggml-base.bin","-f","{wav}","-l","{language}","-ojf"]'`,
		Args: exactArgs(1, "one file or URL"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if o.backends, err = wanted.open(cmd); err != nil {
				return err
			}
			o.diarizeAll, o.deadline, o.retryFor = wanted.diarizeAll(), wanted.deadline(), wanted.retryFor
			if err := checkMaxDuration(o.maxDuration); err != nil {
				return err
			}
			return transcribe(cmd.Context(), args[0], o, std)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.language, "language", "", "language `code`; default the language tag of the file, otherwise en")
	f.IntVar(&o.speakers, "speakers", 0, "expected number of speakers; 0 to detect it")
	f.StringSliceVar(&o.words, "word", nil, "`word` to boost; repeatable")
	f.StringVar(&o.format, "format", "", "`format`: "+formatList()+"; default from the output file's extension, otherwise txt")
	f.StringVarP(&o.output, "output", "o", "", "`file` to write; default standard output")
	f.BoolVar(&o.open, "open", false, "write a page with a player and the transcript, and open it in the browser; see above")
	f.BoolVar(&o.noTimestamps, "no-timestamps", false, "leave timestamps out of documents")
	f.BoolVar(&o.allowPrivate, "allow-private-urls", false, "also download from private addresses")
	o.names.add(f, speakerNameHelp)
	f.Uint64Var(&o.seed, "seed", 0, "`number` that determines the invented words")
	f.DurationVar(&o.maxDuration, "max-duration", 0, maxDurationHelp)
	wanted.register(f)
	return cmd
}

func formatNames() (names []string) {
	for _, f := range formats.All() {
		names = append(names, f.Name)
	}
	return names
}

func formatList() string { return strings.Join(formatNames(), ", ") }

// formatOf returns the name of the format whose extension a file has, the longest one. If no format has it, it returns the extension.
func formatOf(file string) string {
	file = strings.ToLower(file)
	name, longest := strings.TrimPrefix(filepath.Ext(file), "."), 0
	for _, f := range formats.All() {
		if strings.HasSuffix(file, f.Extension) && len(f.Extension) > longest {
			name, longest = f.Name, len(f.Extension)
		}
	}
	return name
}

// pickFormat returns the format of --format, or else of the output file's extension.
func (o transcribeFlags) pickFormat() (formats.Format, error) {
	name := o.format
	if name == "" && o.output != "" {
		name = formatOf(o.output)
	}
	if name == "" {
		name = "txt"
	}
	if f, ok := formats.Lookup(name); ok {
		return f, nil
	}
	return formats.Format{}, unknownValue("transcribe", "format", name, formatNames())
}

func transcribe(ctx context.Context, what string, o transcribeFlags, std streams) (err error) {
	format, err := o.pickFormat()
	if err != nil {
		return err
	}
	if err := errors.Join(checkLanguage("transcribe", o.language), o.names.check("transcribe")); err != nil {
		return err
	}
	if o.open {
		if err := o.checkPlayer(what); err != nil {
			return err
		}
	}
	ffmpeg := render.FFmpeg{}
	if err := ffmpeg.Check(ctx); err != nil {
		return err
	}
	dir, remove, err := render.NewTempDir("")
	if err != nil {
		return err
	}
	defer func() { _ = remove() }()
	blobs, err := files.New(dir, files.Options{NoSync: true})
	if err != nil {
		return err
	}
	transcriber, retry, err := o.transcriber(ffmpeg)
	if err != nil {
		return err
	}
	retry.Outage = o.retryFor
	for _, notice := range o.backends.Notices {
		fmt.Fprintln(std.err, "soundstage:", notice)
	}
	bar := newProgress(std.err, "Transcribing")
	defer bar.end()
	var causes bytes.Buffer // only the log has the cause of a failure, the stored error doesn't
	probed := &probedMedia{Media: ffmpeg}
	e, err := engine.New(engine.Config{
		Store: memory.NewStore(), Blobs: blobs, Media: probed, Diarizer: diarize.Diarizer{},
		Transcriber: transcriber, DiarizeAll: o.diarizeAll,
		Fetcher: fetch.New(fetch.Config{AllowPrivate: o.allowPrivate}),
		Retry:   retry, MaxDuration: o.maxDuration, Deadline: o.deadline,
		Log:      slog.New(slog.NewTextHandler(&causes, &slog.HandlerOptions{Level: slog.LevelWarn})),
		Progress: func(_ engine.TranscriptID, done float64) { bar.set(done) },
	})
	if err != nil {
		return err
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
		return err
	}
	t, err := o.run(ctx, e, caller, what)
	if engine.CodeOf(err) == engine.CodeUnavailable {
		err = errors.Join(ffmpeg.CheckVersion(ctx), err)
	}
	if err != nil {
		return err
	}
	bar.end()
	if len(t.Utterances) == 0 { // the log says so, if a model was asked and returned nothing
		fmt.Fprintln(std.err, "soundstage: the transcript is empty: no words were found.")
		_, _ = causes.WriteTo(std.err)
	}
	if !o.open {
		return o.write(std, format, t, what)
	}
	return o.writeAndOpen(ctx, std, format, t, what, probed)
}

func languageList() string {
	var codes []string
	for _, l := range transcript.Languages() {
		codes = append(codes, string(l))
	}
	slices.Sort(codes)
	return strings.Join(codes, ", ")
}

// transcriber returns the chosen transcriber and its retry policy. A user is waiting, so retries take only seconds.
func (o transcribeFlags) transcriber(media engine.Media) (engine.Transcriber, queue.RetryPolicy, error) {
	if o.backends.NewTranscriber == nil {
		fakeTranscriber := &fake.Transcriber{Media: media, Diarizer: diarize.Diarizer{}, Seed: o.seed}
		return fakeTranscriber, queue.RetryPolicy{Base: 500 * time.Millisecond, Max: 3}, nil
	}
	transcriber, err := o.backends.NewTranscriber(media)
	return transcriber, queue.RetryPolicy{Base: time.Second, Max: 4}, err
}

// run transcribes a file or a URL.
func (o transcribeFlags) run(ctx context.Context, e *engine.Engine, c engine.Caller, what string) (engine.Transcript, error) {
	if strings.Contains(what, "://") {
		return o.runURL(ctx, e, c, what)
	}
	return o.runFile(ctx, e, c, what)
}

func (o transcribeFlags) runURL(ctx context.Context, e *engine.Engine, c engine.Caller, url string) (engine.Transcript, error) {
	t, err := e.CreateTranscript(ctx, c, engine.NewTranscript{
		URL: url, Language: transcript.Language(o.language), DetectLanguage: o.language == "", BoostedWords: o.words,
		SpeakersExpected: o.speakers,
	})
	if err != nil {
		return engine.Transcript{}, err
	}
	return e.WaitTranscript(ctx, c, t.ID)
}

func (o transcribeFlags) runFile(ctx context.Context, e *engine.Engine, c engine.Caller, path string) (engine.Transcript, error) {
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

func fileError(path string, err error) error {
	reason := err
	if cause := errors.Unwrap(err); cause != nil {
		reason = cause // without the path, which the message already has
	}
	return engine.Errorf(engine.CodeNotFound, "transcribe", "The file %s can't be read: %v.", path, reason).
		WithHint("Check the path and its permissions.").Because(err)
}

// titleOf returns the title of what a file or URL has.
func titleOf(what string) string { return strings.TrimSuffix(filepath.Base(what), filepath.Ext(what)) }

// write writes the transcript to standard output, or atomically to a file. Names for labels that the transcript lacks are no reason to lose
// it: they are reported.
func (o transcribeFlags) write(std streams, format formats.Format, t engine.Transcript, what string) error {
	var doc bytes.Buffer
	options := formats.Options{
		RecordingID: string(t.ID), Title: titleOf(what), OmitTimestamps: o.noTimestamps,
	}
	var err error
	if options.Names, err = o.names.of("transcribe", t.Labels(), nil); err != nil {
		fmt.Fprintln(std.err, explain(err))
	}
	if !strings.Contains(what, "://") { // URLs may have secrets, and may not be those of media
		options = withMedia(format, options, filepath.Dir(o.output), what)
	}
	if err := format.Write(&doc, t.Transcript, options); err != nil {
		return err
	}
	if o.output == "" {
		_, err := std.out.Write(doc.Bytes())
		return err
	}
	return writeFile(o.output, doc.Bytes())
}
