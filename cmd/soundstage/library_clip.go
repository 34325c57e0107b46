package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/clips"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/render"
)

// libraryClipFlags are the parsed flags of `soundstage library clip`.
type libraryClipFlags struct {
	work   workFlags
	list   bool
	number int
	part   clipWindow
	look   lookFlags
	output string
	poster string
	force  overwriteFlag
}

func newLibraryClip(std streams) *cobra.Command {
	var o libraryClipFlags
	cmd := &cobra.Command{
		Use:   "clip REC",
		Short: "Render a captioned clip of a recording",
		Long: `Renders the part of a recording that would make the best clip, or the part from --start to --end, as an MP4 with captions: a video
if the recording has one, otherwise an audiogram. The part snaps to spoken words and is at most 3 minutes long. --list prints the
suggestions, best first; --suggestion takes another than the first.

` + backendHelp + `
Exit codes: 2 wrong flags, 3 no such recording, 4 another process uses the folder, or a file exists (see --force), 5 ffmpeg or a font is
missing, 6 the transcription or the render failed, or there is no suggestion, 10 the transcript isn't finished.`,
		Example: `  soundstage library clip 1 --data ./lib -o clip.mp4
  soundstage library clip 1 --data ./lib --list
  soundstage library clip 1 --data ./lib --start 12s --end 40s --aspect 1:1 --style karaoke -o clip.mp4 --poster clip.jpg`,
		Args: exactArgs(1, "one recording"),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := o.request()
			if err != nil {
				return err
			}
			if err := o.work.library.check(cmd); err != nil {
				return err
			}
			if err := hasLibrary(o.work.library.data); err != nil {
				return err
			}
			if err := o.force.check("clip", nil, o.output, o.poster); err != nil {
				return err
			}
			return o.work.run(cmd, false, std, func(ctx context.Context, w *worker) error { return o.run(ctx, w, args[0], n, std) })
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.list, "list", false, "print the suggestions and render nothing")
	f.IntVar(&o.number, "suggestion", 1, "`number` of the suggestion; 1 is the best")
	o.part.add(f, "start", "end", "; instead of a suggestion", "; instead of a suggestion")
	o.look.add(f, "; default the suggestion's")
	f.StringVarP(&o.output, "output", "o", "", "MP4 `file` to write (required, except with --list)")
	f.StringVar(&o.poster, "poster", "", "JPEG `file` for a still image of the clip")
	o.force.add(f)
	o.work.add(f)
	return cmd
}

// request returns what to render, without the recording. CodeInvalid for wrong flags.
func (o *libraryClipFlags) request() (engine.NewRender, error) {
	const op = "clip"
	if err := o.look.check(op); err != nil {
		return engine.NewRender{}, err
	}
	n, err := o.look.newRender(op)
	if err != nil {
		return n, err
	}
	n.RecordingID, n.Window = "any", o.part.window()
	if container, err := render.ContainerOf(o.output); err == nil && container != render.MP4 {
		return n, engine.Errorf(engine.CodeInvalid, op, "Clips of a library are .mp4 files (got %q).", o.output).WithHint("For other formats, use soundstage clip.")
	}
	window := o.part.given()
	switch {
	case !o.list && o.output == "":
		return n, engine.Errorf(engine.CodeInvalid, op, "-o is required: the file to write.")
	case o.list && window:
		return n, engine.Errorf(engine.CodeInvalid, op, "--list and --start or --end contradict each other.")
	case window && o.part.check(op) != nil:
		return n, o.part.check(op)
	case o.number < 1 || o.number > 1 && window:
		return n, engine.Errorf(engine.CodeInvalid, op, "--suggestion must be at least 1, and is not for --start and --end (got %d).", o.number)
	case checkPoster(op, o.poster) != nil:
		return n, checkPoster(op, o.poster)
	}
	checked := n
	if !window {
		checked.SuggestionID, checked.Window = "any", transcript.Window{}
	}
	return n, checked.Validate()
}

func (o *libraryClipFlags) run(ctx context.Context, w *worker, recording string, n engine.NewRender, std streams) error {
	r, err := w.library.recording(ctx, recording)
	if err != nil {
		return err
	}
	t, err := w.transcript(ctx, r.ID)
	if err != nil {
		return err
	}
	n.RecordingID = r.ID
	if n.Window == (transcript.Window{}) {
		suggested, err := w.suggestions(ctx, t)
		if err != nil || o.list {
			return errors.Join(err, o.printSuggestions(std.out, suggested))
		}
		if len(suggested) < o.number {
			return noSuggestion(o.number, len(suggested))
		}
		n.SuggestionID = suggested[o.number-1].ID
	}
	made, err := w.render(ctx, n)
	if err != nil {
		return err
	}
	if err := w.saveClip(ctx, made.ID, o.output); err != nil {
		return err
	}
	if o.poster != "" {
		picture, err := w.RenderPoster(ctx, w.me, made.ID)
		if err != nil {
			return err
		}
		if err := writeFile(o.poster, picture); err != nil {
			return err
		}
	}
	return o.printClip(std.out, r, made)
}

func noSuggestion(wanted, there int) error {
	if there == 0 {
		return engine.Errorf(engine.CodeUnprocessable, "clip", "No part of the recording would make a clip.").WithHint("Set --start and --end.")
	}
	return engine.Errorf(engine.CodeInvalid, "clip", "There are only %d suggestions (got --suggestion %d).", there, wanted).WithHint("See --list.")
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

// render renders a clip with a progress bar.
func (w *worker) render(ctx context.Context, n engine.NewRender) (engine.Render, error) {
	r, err := w.CreateRender(ctx, w.me, n)
	if err != nil {
		return r, err
	}
	w.progress.start("Rendering")
	w.progress.expect(1)
	defer w.progress.end()
	for !r.Status.Over() {
		changed := w.Changes()
		if r, err = w.GetRender(ctx, w.me, r.ID); err != nil {
			return r, err
		}
		w.progress.transcribing("", r.Progress)
		if r.Status.Over() {
			break
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return r, ctx.Err()
		}
	}
	if r.Status != engine.RenderCompleted {
		err = engine.Errorf(engine.CodeUnprocessable, "clip", "The render failed: %s", r.Message).WithHint(r.ErrorHint)
	}
	return r, err
}

// saveClip writes the video to a file.
func (w *worker) saveClip(ctx context.Context, id engine.RenderID, path string) error {
	video, err := w.OpenAsset(ctx, w.me, id, 0, -1)
	if err != nil {
		return err
	}
	defer func() { _ = video.Close() }()
	return replaceFile(path, func(f *os.File) error {
		_, err := io.Copy(f, video)
		return err
	})
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
	Number    int                `json:"number"`
	Path      string             `json:"path"`
	Poster    string             `json:"poster,omitempty"`
	StartMS   int64              `json:"start_ms"`
	EndMS     int64              `json:"end_ms"`
	Title     string             `json:"title,omitempty"`
	Message   string             `json:"message"`
}

func (o *libraryClipFlags) printClip(out io.Writer, r engine.Recording, made engine.Render) error {
	if o.work.library.asJSON {
		return json.NewEncoder(out).Encode(libraryClip{
			Recording: r.ID, Number: r.Number, Path: o.output, Poster: o.poster, StartMS: made.Window.Start.Milliseconds(), EndMS: made.Window.End.Milliseconds(),
			Title: made.Title, Message: made.Message,
		})
	}
	_, err := fmt.Fprintf(out, "%s: from %s to %s of #%d %s\n", o.output, clock(made.Window.Start), clock(made.Window.End), r.Number, cmp.Or(made.Title, r.Title))
	return err
}
