package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/render"
)

// renderFlags say what is rendered, how it looks and where it goes.
type renderFlags struct {
	from, to time.Duration
	aspect   string
	title    string
	style    string
	fit      string
	language string
	output   string
	poster   string
}

func newRender(std streams) *cobra.Command {
	var o renderFlags
	cmd := &cobra.Command{
		Use:   "render MEDIA [TRANSCRIPT]",
		Short: "Make a captioned clip or an audiogram of a part of a media file",
		Long: `Makes an MP4 of a part of a media file: a captioned clip where there is a picture, an audiogram where there is only sound. The
part snaps to spoken words and is at most three minutes long. The captions are those of the transcript (VTT, SRT or JSON);
without one they are invented, as by soundstage transcribe. --poster adds a picture that stands for the video: its loudest
moment with a caption. Ctrl-C leaves nothing half-made behind.

Exit codes: 2 wrong flags, 3 no such file, 5 ffmpeg or a font is missing, 6 the media can't be used or nobody speaks there.`,
		Example: `  soundstage render interview.mp4 interview.srt --from 1m12s --to 1m40s -o clip.mp4
  soundstage render talk.mp3 talk.json --to 30s --aspect 1:1 --title "The one thing" -o audiogram.mp4
  soundstage render interview.mp4 --from 12s --to 40s --style karaoke --fit crop -o clip.mp4 --poster clip.jpg`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return usageError(cmd, wrongArgs{what: "a media file and perhaps a transcript", got: len(args)})
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return runRender(cmd.Context(), args, o, std) },
	}
	f := cmd.Flags()
	f.DurationVar(&o.from, "from", 0, "`time` at which it begins, 12s or 1m12.5s")
	f.DurationVar(&o.to, "to", 0, "`time` at which it ends; default the end of the media")
	f.StringVar(&o.aspect, "aspect", string(engine.AspectVertical), "`ratio`: "+list(engine.AspectRatios()))
	f.StringVar(&o.title, "title", "", "`title` to show above")
	f.StringVar(&o.style, "style", "", "`style`: "+list(engine.RenderStyles())+"; default captions or audiogram")
	f.StringVar(&o.fit, "fit", string(render.Blur), "how a picture of another shape fills the frame, `blur`, crop or pad")
	f.StringVar(&o.language, "language", "", "language `code` of the words, where the transcript doesn't say")
	f.StringVarP(&o.output, "output", "o", "", "`file` to write, .mp4 (required)")
	f.StringVar(&o.poster, "poster", "", "`file` for a picture of it, .jpg")
	return cmd
}

func list[T ~string](values []T) string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = string(v)
	}
	return strings.Join(names, ", ")
}

func (o renderFlags) validate() error {
	const op = "render"
	switch {
	case o.output == "":
		return engine.Errorf(engine.CodeInvalid, op, "-o is needed: the file to write.")
	case o.poster != "" && !slices.Contains([]string{".jpg", ".jpeg"}, strings.ToLower(filepath.Ext(o.poster))):
		return engine.Errorf(engine.CodeInvalid, op, "The picture is a JPEG, so --poster needs a name that ends in .jpg.")
	case o.from < 0 || o.to < 0 || o.to > 0 && o.to <= o.from:
		return engine.Errorf(engine.CodeInvalid, op, "--to must be after --from.")
	case !slices.Contains(engine.AspectRatios(), engine.AspectRatio(o.aspect)):
		return engine.Errorf(engine.CodeInvalid, op, "There is no aspect ratio %q.", o.aspect).WithHint("Use " + list(engine.AspectRatios()) + ".")
	case o.style != "" && !slices.Contains(engine.RenderStyles(), engine.RenderStyle(o.style)):
		return engine.Errorf(engine.CodeInvalid, op, "There is no style %q.", o.style).WithHint("Use " + list(engine.RenderStyles()) + ".")
	case !slices.Contains(render.Fits(), render.Fit(o.fit)):
		return engine.Errorf(engine.CodeInvalid, op, "There is no fit %q.", o.fit).WithHint("Use " + list(render.Fits()) + ".")
	case o.language != "" && !transcript.Language(o.language).Supported():
		return engine.Errorf(engine.CodeInvalid, op, "Language %q is not supported.", o.language).WithHint("Use one of " + languageList() + ".")
	}
	return nil
}

func runRender(ctx context.Context, args []string, o renderFlags, std streams) error {
	if err := o.validate(); err != nil {
		return err
	}
	ffmpeg := render.FFmpeg{}
	if err := ffmpeg.Check(ctx); err != nil {
		return err
	}
	if _, err := os.Stat(args[0]); err != nil {
		return fileError(args[0], err)
	}
	_ = render.RemoveParts(filepath.Dir(o.output)) // what can't be removed harms nothing
	temp, remove, err := render.NewTempDir("")
	if err != nil {
		return err
	}
	defer func() { _ = remove() }()
	ffmpeg.TempDir = temp
	src := files.Source(args[0])
	info, err := ffmpeg.Probe(ctx, src)
	if err != nil {
		return err
	}
	bar := newProgress(std.err, "Rendering")
	defer bar.end()
	words, language, err := o.words(ctx, args[1:], src, info)
	if err != nil {
		return err
	}
	if o.to == 0 {
		o.to = min(info.Duration, o.from+transcript.MaxWindow)
	}
	window, err := transcript.Snap(words, info.Duration, transcript.Window{Start: o.from, End: o.to})
	if err != nil {
		return err
	}
	result, err := ffmpeg.Render(ctx, src, render.Request{
		Window: window, Words: words, Language: language, Title: o.title, Aspect: engine.AspectRatio(o.aspect), Style: engine.RenderStyle(o.style),
		Fit: render.Fit(o.fit),
	}, o.output, func(done float64, _ string) { bar.set(done) })
	if err != nil {
		return err
	}
	bar.end()
	if o.poster != "" {
		var picture bytes.Buffer
		if err := ffmpeg.Poster(ctx, files.Source(o.output), result.Poster, 0, &picture); err != nil {
			return err
		}
		if err := writeFile(o.poster, picture.Bytes()); err != nil {
			return err
		}
	}
	fmt.Fprintf(std.out, "%s: %d×%d, %s, from %s to %s\n", o.output, result.Width, result.Height, result.Duration.Round(time.Millisecond),
		clock(window.Start), clock(window.End))
	if result.Message != "" {
		fmt.Fprintln(std.err, "soundstage: "+result.Message)
	}
	return nil
}

// timedWords are the words of a transcript, sorted by start. Those of captions, which have no times of their own, share the time of
// the line that they stand in.
func timedWords(t transcript.Transcript) []transcript.Word {
	var words []transcript.Word
	for _, c := range captions.Build(t, nil, captions.Options{}) {
		for _, l := range c.Lines {
			words = append(words, l.Words...)
		}
	}
	slices.SortStableFunc(words, func(a, b transcript.Word) int { return cmp.Compare(a.Start, b.Start) })
	return words
}

// words are those of the transcript file, or invented ones where there is none.
func (o renderFlags) words(ctx context.Context, transcripts []string, src engine.Source, info engine.MediaInfo) ([]transcript.Word, transcript.Language, error) {
	if len(transcripts) == 1 {
		parsed, err := readTranscript(transcripts[0], transcript.Language(o.language))
		return timedWords(parsed.Transcript), parsed.Language, err
	}
	ffmpeg := render.FFmpeg{}
	heard, err := (&fake.Transcriber{Media: ffmpeg, Diarizer: diarize.Diarizer{}}).Transcribe(ctx, engine.TranscribeRequest{
		Source: src, Info: info, Language: transcript.Language(o.language),
	})
	return heard.Words, heard.Language, err
}
