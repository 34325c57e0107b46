package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/clips"
	"github.com/soundstage-dev/soundstage/engine/fetch"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/engine/wav"
	"github.com/soundstage-dev/soundstage/render"
)

// clipFlags are the parsed flags of `soundstage clip`.
type clipFlags struct {
	cutFlags
	speech speechFlags
	best   int
	asJSON bool
}

func newClip(std streams) *cobra.Command {
	var o clipFlags
	cmd := &cobra.Command{
		Use:   "clip FILE|URL [TRANSCRIPT]",
		Short: "Make captioned clips of a media file",
		Long: `Makes captioned clips of a media file or of a public HTTP(S) URL. It transcribes the media, finds the parts that would make the best
clips, and renders them: as NAME-1.mp4, NAME-2.mp4, and so on, next to the file. With --from or --to, it renders that part. Parts snap to
whole words, or with --snap sentence to whole sentences, and are at most 3 minutes long.

With a transcript, any file that soundstage export reads, nothing is transcribed. Without one and without --transcriber, the words are
invented, as in soundstage transcribe.

Times are written 1:10, 1:02:03.5, 70s, or 1h2m. --preview writes a still of each clip, to choose a style by, and
--draft small videos. Ctrl-C leaves finished clips and no partial files.

` + backendHelp + `
Exit codes: that of the first clip that failed; 2 wrong flags, 3 no such file, 4 a file exists (see --force), 5 ffmpeg, a font, or the
transcriber is missing, 6 the media can't be used or has no part for a clip, 7 the URL can't be downloaded.`,
		Example: `  soundstage clip interview.mp4 --best 3 --for tiktok
  soundstage clip interview.mp4 interview.srt --from 1:10 --to 1:40 --style bold-pop --sidecar srt -o clip.mp4
  soundstage clip talk.mp3 --transcriber openai --best 5 --aspect 1:1 -o clips/ --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return usageError(cmd, wrongArgs{what: "a media file or URL, and optionally a transcript", got: len(args)})
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.titled = cmd.Flags().Changed("title")
			if err := o.check(cmd); err != nil {
				return err
			}
			return o.run(cmd.Context(), args, std)
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.best, "best", 1, fmt.Sprintf("`number` of clips to make of the best parts, at most %d", clips.MaxClips))
	o.cutFlags.add(cmd, cutHelp{
		title: "; default what the part is about; \"\" for none", end: "; default 3m after --from",
		output: "; or a folder; default next to the media; of several clips, the names get numbers",
	})
	f.BoolVar(&o.asJSON, "json", false, "print one JSON object per clip")
	o.speech.add(f)
	return cmd
}

// check returns CodeInvalid for values that are wrong whatever the media is, and opens the backends.
func (o *clipFlags) check(cmd *cobra.Command) error {
	const op = "clip"
	switch {
	case o.best < 1 || o.best > clips.MaxClips:
		return engine.Errorf(engine.CodeInvalid, op, "--best must be a number from 1 to %d (got %d).", clips.MaxClips, o.best)
	case o.part.given() && cmd.Flags().Changed("best"):
		return engine.Errorf(engine.CodeInvalid, op, "--best contradicts --from and --to, which are one part.").WithHint("Leave one of them out.")
	}
	language := setSpoken
	if cmd.Flags().NArg() == 2 {
		language = setWritten
	}
	return cmp.Or(o.cutFlags.check(op), language(op, &o.speech.language), o.speech.check(op), o.speech.openBackends(cmd))
}

// clips returns the files to write, of each clip.
func (o *clipFlags) clips(what string) []cutFiles {
	path := o.files.output
	if info, err := os.Stat(path); path == "" || strings.HasSuffix(path, string(filepath.Separator)) || strings.HasSuffix(path, "/") || err == nil && info.IsDir() {
		name := what
		if isURL(what) {
			name = nameOfURL(what)
		}
		if path != "" {
			name = filepath.Join(path, filepath.Base(name))
		}
		path = withExtension(name, ".mp4")
	} else if o.best == 1 {
		return []cutFiles{o.files.one()}
	}
	all := make([]cutFiles, o.best)
	for i := range all {
		number := fmt.Sprintf("-%d", i+1)
		video := withExtension(path, number+filepath.Ext(path))
		if o.best == 1 {
			number = "" // the poster has a name of its own
		}
		all[i] = o.files.of(video, number)
	}
	return all
}

func (o *clipFlags) run(ctx context.Context, args []string, std streams) error {
	if err := (render.FFmpeg{}).Check(ctx); err != nil {
		return err
	}
	if !isURL(args[0]) {
		if err := checkMedia(args[0]); err != nil {
			return err
		}
	}
	outputs := o.clips(args[0])
	if err := o.prepare(args, outputs); err != nil {
		return err
	}
	bar := newPhases(std.err, o.weight(args))
	defer bar.end()
	path, remove, err := o.local(ctx, args[0], bar)
	if err != nil {
		return err
	}
	defer func() { _ = remove() }()
	c, closeCutter, err := o.openCutter(ctx, path, o.speech.maxDuration)
	if err != nil {
		return err
	}
	defer func() { _ = closeCutter() }()
	if err := o.listen(ctx, c, path, args[1:], std, bar); err != nil {
		return err
	}
	parts, err := o.parts(ctx, c, std, bar)
	if err != nil {
		return err
	}
	return o.renderAll(ctx, c, parts, outputs, std, bar)
}

// prepare makes the output folder, and checks that the files can be written.
func (o *clipFlags) prepare(inputs []string, outputs []cutFiles) error {
	if dir := filepath.Dir(outputs[0].video); o.files.output != "" && strings.HasSuffix(filepath.ToSlash(o.files.output), "/") {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return engine.Errorf(engine.CodeUnavailable, "clip", "The folder %s can't be created.", dir).WithHint("Choose another with -o.").Because(err)
		}
	}
	return o.files.checkFiles("clip", inputs, outputs...)
}

// Weights of phases for the progress bar: of a download, a transcription, and a clip.
const (
	weightDownload   = 1
	weightTranscribe = 3
	weightClip       = 1
)

// weight returns the weight of all phases.
func (o *clipFlags) weight(args []string) float64 {
	all := float64(o.best) * weightClip
	if isURL(args[0]) {
		all += weightDownload
	}
	if len(args) == 1 {
		all += weightTranscribe
	}
	return all
}

// local returns the media as a file. remove deletes what was downloaded.
func (o *clipFlags) local(ctx context.Context, what string, bar *phases) (path string, remove func() error, err error) {
	if !isURL(what) {
		return what, func() error { return nil }, nil
	}
	client := fetch.New(fetch.Config{AllowPrivate: o.speech.allowPrivate})
	if err := client.Check(ctx, what); err != nil {
		return "", nil, err
	}
	bar.begin("Downloading", weightDownload)
	dir, remove, err := render.NewTempDir("")
	if err != nil {
		return "", nil, err
	}
	path = filepath.Join(dir, "media")
	file, err := os.Create(path)
	if err == nil {
		_, err = client.Fetch(ctx, engine.FetchRequest{
			URL: what, Progress: func(done, total int64) { bar.set(float64(done) / float64(max(done, total, 1))) },
		}, file)
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return "", nil, errors.Join(err, remove())
	}
	return path, remove, nil
}

// listen gives the cutter the words: those of the transcript file, or of a transcription.
func (o *clipFlags) listen(ctx context.Context, c *cutter, path string, transcripts []string, std streams, bar *phases) error {
	if len(transcripts) == 1 {
		return c.read(std, transcripts[0], o.speech.language)
	}
	bar.begin("Transcribing", weightTranscribe)
	t, err := o.speech.transcribe(ctx, std, &probedMedia{Media: wav.Media{Fallback: c.ffmpeg}}, path, bar)
	if err != nil {
		return err
	}
	if o.speech.backends.NewTranscriber == nil {
		bar.print(func() {
			fmt.Fprintln(std.err, "soundstage: The words are invented. Add a transcript file, or choose a service with --transcriber.")
		})
	}
	c.say(withWords(t.Transcript))
	return nil
}

// parts returns the parts to render: that of the flags, or the best ones.
func (o *clipFlags) parts(ctx context.Context, c *cutter, std streams, bar *phases) ([]clips.Suggestion, error) {
	if o.part.given() {
		w, err := c.window()
		return []clips.Suggestion{{Window: w}}, err
	}
	bar.begin("Finding the best parts", 0)
	var best []clips.Suggestion
	for _, s := range o.suggest(ctx, c.said, std, bar) {
		if s.Kind != clips.KindClip || len(best) == o.best {
			continue
		}
		w, err := c.snap(s.Window, transcript.SnapSentence)
		if err != nil {
			return nil, err
		}
		s.Window = w
		best = append(best, s)
	}
	switch {
	case len(best) == 0:
		return nil, engine.Errorf(engine.CodeUnprocessable, "clip", "No part of the media would make a clip.").WithHint("Choose one with --from and --to.")
	case len(best) < o.best:
		bar.drop(float64(o.best-len(best)) * weightClip)
		bar.print(func() {
			fmt.Fprintf(std.err, "soundstage: Only %s would make a clip (got --best %d).\n", plural(len(best), "part", "parts"), o.best)
		})
	}
	return best, nil
}

// suggestTime limits how long a language model may take for suggestions.
const suggestTime = 5 * time.Minute

// suggest returns suggestions of the language model, if one is chosen and works, or else those of the rules of package clips.
func (o *clipFlags) suggest(ctx context.Context, t transcript.Transcript, std streams, bar *phases) []clips.Suggestion {
	if model, ok := o.speech.backends.LLM.(engine.Suggester); ok {
		limited, cancel := context.WithTimeout(ctx, suggestTime)
		defer cancel()
		suggested, err := model.Suggest(limited, engine.Transcript{Transcript: t}, clips.MaxClips)
		if good := clips.Check(t, suggested); err == nil && len(good) > 0 {
			return good
		}
		bar.print(func() {
			fmt.Fprintln(std.err, "soundstage: The language model suggested nothing useful; the parts are chosen without it.")
		})
	}
	return clips.Suggest(t)
}

// madeClip is a clip in the output of --json.
type madeClip struct {
	Number     int    `json:"number"`
	Path       string `json:"path"`
	Poster     string `json:"poster,omitempty"`
	Sidecar    string `json:"sidecar,omitempty"`
	StartMS    int64  `json:"start_ms"`
	EndMS      int64  `json:"end_ms"`
	Score      int    `json:"score,omitempty"`
	Title      string `json:"title,omitempty"`
	Excerpt    string `json:"excerpt,omitempty"`
	Width      int    `json:"width"`
	Height     int    `json:"height"`
	DurationMS int64  `json:"duration_ms,omitempty"`
	Message    string `json:"message,omitempty"`
}

// newMadeClip returns what is known of each clip.
func newMadeClip(number int, one cut, made render.Result) madeClip {
	return madeClip{
		Number: number, Path: one.files.video, Poster: one.files.poster, Sidecar: one.files.sidecar, StartMS: one.window.Start.Milliseconds(), EndMS: one.window.End.Milliseconds(),
		Title: one.title, Width: made.Width, Height: made.Height, DurationMS: made.Duration.Milliseconds(), Message: made.Message,
	}
}

// renderAll renders the parts and prints the clips. A clip that fails doesn't stop the others.
func (o *clipFlags) renderAll(ctx context.Context, c *cutter, parts []clips.Suggestion, outputs []cutFiles, std streams, bar *phases) error {
	var failed []error
	var made []madeClip
	for i, part := range parts {
		bar.begin(fmt.Sprintf("Rendering %d of %d", i+1, len(parts)), weightClip)
		one := cut{part.Window, part.Title, outputs[i]}
		if o.titled {
			one.title = o.look.title
		}
		result, err := c.render(ctx, "clip", one, bar.set)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && len(parts) == 1:
			return err
		case err != nil:
			failed = append(failed, err)
			bar.print(func() { fmt.Fprintln(std.err, explain(fmt.Errorf("%s: %w", outputs[i].video, err))) })
			continue
		}
		bar.print(func() { reportClip(std, result) })
		m := newMadeClip(i+1, one, result)
		m.Score, m.Excerpt = part.Score, part.Excerpt
		made = append(made, m)
		if o.asJSON {
			bar.print(func() { err = json.NewEncoder(std.out).Encode(m) })
			if err != nil {
				return err
			}
		}
	}
	bar.end()
	var err error
	if !o.asJSON && len(made) > 0 {
		err = printClips(std.out, made)
	}
	return errors.Join(severalFailed("clip", "clips", failed, len(parts)), err)
}

// printClips prints a table.
func printClips(out io.Writer, made []madeClip) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "CLIP\tFROM\tTO\tSCORE\tTITLE")
	for _, m := range made {
		score := "-"
		if m.Score > 0 {
			score = fmt.Sprint(m.Score)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", m.Path, clock(time.Duration(m.StartMS)*time.Millisecond), clock(time.Duration(m.EndMS)*time.Millisecond), score, m.Title)
	}
	return table.Flush()
}
