package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/clips"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/render"
)

// libraryClipFlags are the parsed flags of `soundstage library clip`.
type libraryClipFlags struct {
	cutFlags
	work   workFlags
	list   bool
	number int
}

func newLibraryClip(std streams) *cobra.Command {
	var o libraryClipFlags
	cmd := &cobra.Command{
		Use:   "clip REC",
		Short: "Render a captioned clip of a recording",
		Long: `Renders the part of a recording that would make the best clip, or the part from --from to --to, with captions: a video if the
recording has one, otherwise an audiogram. A suggested part begins and ends with sentences; others snap to whole words, or with --snap sentence
to sentences. A part is at most 3 minutes long. --list prints the suggestions, best first; --suggestion takes another than the first.

--preview writes a still of the clip, to choose a style by, and --draft a small video. The flags are those of soundstage clip.

` + backendHelp + `
Exit codes: 2 wrong flags, 3 no such recording, 4 another process uses the folder, or a file exists (see --force), 5 ffmpeg or a font is
missing, 6 the transcription or the render failed, or there is no suggestion, 10 the transcript isn't finished.`,
		Example: `  soundstage library clip 1 --data ./lib -o clip.mp4
  soundstage library clip 1 --data ./lib --list
  soundstage library clip 1 --data ./lib --from 0:12 --to 0:40 --for linkedin --style bold-pop -o clip.mp4 --poster clip.jpg --sidecar srt`,
		Args: exactArgs(1, "one recording"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.titled = cmd.Flags().Changed("title")
			if err := o.check(cmd); err != nil {
				return err
			}
			return o.work.run(cmd, false, std, func(ctx context.Context, w *worker) error { return o.run(ctx, w, args[0], std) })
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.list, "list", false, "print the suggestions and render nothing")
	f.IntVar(&o.number, "suggestion", 1, "`number` of the suggestion; 1 is the best")
	o.cutFlags.add(cmd, cutHelp{
		title: "; default the suggestion's, or none with --from and --to; \"\" for none", start: "; instead of a suggestion",
		end: "; default 3m after --from", output: " (required, except with --list)",
	})
	o.work.add(f)
	f.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(cmp.Or(oldClipFlags[name], name))
	})
	return cmd
}

// oldClipFlags are flags of library clip by the names that they had before.
var oldClipFlags = map[string]string{"start": "from", "end": "to"}

// check returns what is wrong with the flags, before any work.
func (o *libraryClipFlags) check(cmd *cobra.Command) error {
	const op = "clip"
	switch part := o.part.given(); {
	case !o.list && o.files.output == "":
		return engine.Errorf(engine.CodeInvalid, op, "-o is required: the file to write.")
	case o.list && part:
		return engine.Errorf(engine.CodeInvalid, op, "--list and --from or --to contradict each other.").WithHint("Leave one of them out.")
	case o.number < 1:
		return engine.Errorf(engine.CodeInvalid, op, "--suggestion must be at least 1 (got %d).", o.number)
	case o.number > 1 && part:
		return engine.Errorf(engine.CodeInvalid, op, "--suggestion contradicts --from and --to, which are one part.").WithHint("Leave one of them out.")
	}
	if err := cmp.Or(o.cutFlags.check(op), o.work.library.check(cmd), hasLibrary(o.work.library.data)); err != nil || o.list {
		return err
	}
	return o.files.checkFiles(op, nil, o.files.one())
}

func (o *libraryClipFlags) run(ctx context.Context, w *worker, recording string, std streams) error {
	r, err := w.library.recording(ctx, recording)
	if err != nil {
		return err
	}
	t, err := w.transcript(ctx, r.ID)
	if err != nil {
		return err
	}
	if o.list {
		suggested, err := w.suggestions(ctx, t)
		return errors.Join(err, o.printSuggestions(std.out, suggested))
	}
	c, err := w.cutter(ctx, &o.cutFlags, t)
	if err != nil {
		return err
	}
	one := cut{title: o.look.title, files: o.files.one()}
	if o.part.given() {
		one.window, err = c.window()
	} else {
		one, err = o.suggested(ctx, w, c, t, one)
	}
	if err != nil {
		return err
	}
	w.progress.start("Rendering")
	w.progress.expect(1)
	defer w.progress.end()
	result, err := c.render(ctx, "clip", one, func(done float64) { w.progress.transcribing("", done) })
	if err != nil {
		return err
	}
	w.progress.end()
	reportClip(std, result)
	return o.printClip(std.out, r, one, result)
}

// suggested returns one with the window of the suggestion, and with its title unless the flag sets one.
func (o *libraryClipFlags) suggested(ctx context.Context, w *worker, c *cutter, t engine.RecordingTranscript, one cut) (cut, error) {
	suggested, err := w.suggestions(ctx, t)
	if err != nil {
		return one, err
	}
	if len(suggested) < o.number {
		return one, noSuggestion(o.number, len(suggested))
	}
	s := suggested[o.number-1]
	if !o.titled {
		one.title = s.Title
	}
	one.window, err = c.snap(s.Window, transcript.SnapSentence)
	return one, err
}

// cutter returns a cutter of a recording's media, with its words.
func (w *worker) cutter(ctx context.Context, flags *cutFlags, t engine.RecordingTranscript) (*cutter, error) {
	_, _, src, err := w.RecordingMedia(ctx, t.Recording.ID)
	if err != nil {
		return nil, err
	}
	c := &cutter{cutFlags: flags, ffmpeg: w.ffmpeg, src: src, limited: w.media, known: t.Names}
	if err := c.probe(ctx); err != nil {
		return nil, err
	}
	c.say(withWords(t.Transcript))
	return c, nil
}

func noSuggestion(wanted, there int) error {
	if there == 0 {
		return engine.Errorf(engine.CodeUnprocessable, "clip", "No part of the recording would make a clip.").WithHint("Choose one with --from and --to.")
	}
	only := fmt.Sprintf("There are only %d suggestions", there)
	if there == 1 {
		only = "There is only 1 suggestion"
	}
	return engine.Errorf(engine.CodeInvalid, "clip", "%s (got --suggestion %d).", only, wanted).WithHint("See --list.")
}

// suggestions waits for the suggested clips, best first.
func (w *worker) suggestions(ctx context.Context, t engine.RecordingTranscript) ([]engine.Suggestion, error) {
	if len(clips.Suggest(t.Transcript)) == 0 {
		return nil, nil // nothing to wait for
	}
	for {
		changed := w.Changes()
		list, err := w.ListSuggestions(ctx, w.me, t.Recording.ID, true)
		if err != nil || len(list) > 0 {
			return slices.DeleteFunc(list, func(s engine.Suggestion) bool { return s.Kind != clips.KindClip }), err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// librarySuggestion is a suggested clip in the output of --json.
type librarySuggestion struct {
	Number  int    `json:"number"`
	StartMS int64  `json:"start_ms"`
	EndMS   int64  `json:"end_ms"`
	Score   int    `json:"score"`
	Title   string `json:"title"`
	Excerpt string `json:"excerpt"`
}

func (o *libraryClipFlags) printSuggestions(out io.Writer, list []engine.Suggestion) error {
	for i, s := range list {
		shown := librarySuggestion{Number: i + 1, StartMS: s.Window.Start.Milliseconds(), EndMS: s.Window.End.Milliseconds(), Score: s.Score, Title: s.Title, Excerpt: s.Excerpt}
		var err error
		if o.work.library.asJSON {
			err = json.NewEncoder(out).Encode(shown)
		} else {
			_, err = fmt.Fprintf(out, "%d  %s to %s  %s\n", shown.Number, clock(s.Window.Start), clock(s.Window.End), s.Title)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// libraryClip is a clip in the output of --json.
type libraryClip struct {
	Recording engine.RecordingID `json:"recording_id"`
	madeClip
}

func (o *libraryClipFlags) printClip(out io.Writer, r engine.Recording, one cut, made render.Result) error {
	if o.work.library.asJSON {
		return json.NewEncoder(out).Encode(libraryClip{r.ID, newMadeClip(r.Number, one, made)})
	}
	_, err := fmt.Fprintf(out, "%s: from %s to %s of #%d %s\n", one.files.video, clock(one.window.Start), clock(one.window.End), r.Number, cmp.Or(one.title, r.Title))
	return err
}
