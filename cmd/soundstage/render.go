package main

import (
	"bytes"
	"context"
	"errors"
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
	"github.com/soundstage-dev/soundstage/engine/media"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/render"
)

// renderFlags are the parsed flags of `soundstage render`.
type renderFlags struct {
	part     clipWindow
	aspect   string
	title    string
	style    string
	fit      string
	language string
	output   string
	poster   string
	longest  time.Duration
	force    overwriteFlag
	names    speakerNames
	captions captionFlags
}

func newRender(std streams) *cobra.Command {
	var o renderFlags
	cmd := &cobra.Command{
		Use:   "render MEDIA [TRANSCRIPT]",
		Short: "Render a captioned clip or an audiogram from part of a media file",
		Long: `Renders part of a media file: a captioned clip if it has video, an audiogram if it has only sound. The part snaps to
spoken words and is at most 3 minutes long. Captions come from the transcript, any file that soundstage export reads; without one, the words are
invented, as in soundstage transcribe. Captions that are too fast to read are shown as they are, and counted on stderr.
--poster also saves a still image: the loudest moment with a caption. Ctrl-C leaves no partial files.

Exit codes: 2 wrong flags, 3 no such file, 4 a file exists (see --force), 5 ffmpeg or a font is missing, 6 the media can't be used or
the part has no speech.`,
		Example: `  soundstage render interview.mp4 interview.srt --from 1:12 --to 1:40 -o clip.mp4
  soundstage render talk.mp3 talk.json --to 30s --aspect 1:1 --title "The one thing" -o audiogram.mp4
  soundstage render interview.mp4 --from 12s --to 40s --style karaoke --fit crop -o clip.mp4 --poster clip.jpg`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return usageError(cmd, wrongArgs{what: "a media file and optionally a transcript", got: len(args)})
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return runRender(cmd.Context(), args, o, std) },
	}
	f := cmd.Flags()
	o.part.add(f, "from", "to", "", "; default the end of the media, at most 3m after --from")
	setVariable(f, "to", "render-to") // export's --to has formats
	f.StringVar(&o.aspect, "aspect", string(engine.AspectVertical), "aspect `ratio`: "+joinNames(engine.AspectRatios()))
	f.StringVar(&o.title, "title", "", "`title` to show at the top")
	f.StringVar(&o.style, "style", "", "`style`: "+joinNames(engine.RenderStyles())+"; default captions for video, audiogram for sound")
	f.StringVar(&o.fit, "fit", string(render.Blur), "how video with another aspect ratio fills the frame: `blur`, crop, or pad")
	f.StringVar(&o.language, "language", "", "language `code` of the words, if the transcript has none")
	f.StringVarP(&o.output, "output", "o", "", "`file` to write: .mp4, .mov, .webm, or .gif (required)")
	f.StringVar(&o.poster, "poster", "", "JPEG `file` for a still image of the video")
	o.force.add(f)
	f.DurationVar(&o.longest, "max-duration", 0, maxDurationHelp)
	o.names.add(f, speakerNameHelp+"; captions show it where the speaker begins")
	o.captions.add(cmd)
	return cmd
}

func (o renderFlags) validate() error {
	const op = "render"
	switch {
	case o.output == "":
		return engine.Errorf(engine.CodeInvalid, op, "-o is required: the file to write.")
	case o.poster != "" && !slices.Contains([]string{".jpg", ".jpeg"}, strings.ToLower(filepath.Ext(o.poster))):
		return engine.Errorf(engine.CodeInvalid, op, "--poster must end in .jpg or .jpeg (got %q).", o.poster)
	case o.poster != "" && strings.EqualFold(filepath.Ext(o.output), ".gif"):
		return engine.Errorf(engine.CodeInvalid, op, "--poster is for videos, and %q is a GIF.", o.output).WithHint("Leave it out, or write an .mp4 file.")
	case o.part.end != 0 && o.part.check(op) != nil:
		return o.part.check(op)
	case !slices.Contains(engine.AspectRatios(), engine.AspectRatio(o.aspect)):
		return unknownValue(op, "aspect ratio", o.aspect, engine.AspectRatios())
	case o.style != "" && !slices.Contains(engine.RenderStyles(), engine.RenderStyle(o.style)):
		return unknownValue(op, "style", o.style, engine.RenderStyles())
	case !slices.Contains(render.Fits(), render.Fit(o.fit)):
		return unknownValue(op, "fit", o.fit, render.Fits())
	}
	_, err := render.ContainerOf(o.output)
	return errors.Join(err, checkLanguage(op, o.language), o.names.check(op), checkMaxDuration(o.longest))
}

func runRender(ctx context.Context, args []string, o renderFlags, std streams) error {
	if err := o.validate(); err != nil {
		return err
	}
	limits, err := o.captions.options("render")
	if err != nil {
		return err
	}
	if !o.captions.anything() {
		limits = captions.Options{} // what the frame has room for
	}
	ffmpeg := render.FFmpeg{}
	if err := ffmpeg.Check(ctx); err != nil {
		return err
	}
	if _, err := os.Stat(args[0]); err != nil {
		return fileError(args[0], err)
	}
	if err := o.force.check("render", args, o.output, o.poster); err != nil {
		return err
	}
	_ = render.RemoveParts(filepath.Dir(o.output)) // partial files of killed renders; harmless if they stay
	temp, remove, err := render.NewTempDir("")
	if err != nil {
		return err
	}
	defer func() { _ = remove() }()
	ffmpeg.TempDir = temp
	src, limited := files.Source(args[0]), media.Limit(ffmpeg, o.longest)
	info, err := limited.Probe(ctx, src)
	if err != nil {
		return err
	}
	bar := newProgress(std.err, "Rendering")
	defer bar.end()
	words, language, err := o.words(ctx, std, args[1:], limited, src, info)
	if err != nil {
		return err
	}
	window := o.part.window()
	if window.End == 0 {
		window.End = min(info.Duration, window.Start+transcript.MaxWindow)
	}
	window, err = transcript.Snap(words, info.Duration, window)
	if err != nil {
		return err
	}
	names, err := o.names.of("render", labelsOf(words), nil)
	if err != nil {
		return err
	}
	result, err := ffmpeg.Render(ctx, src, render.Request{
		Window: window, Words: nameTurns(words, window, names), Language: language, Title: o.title, Aspect: engine.AspectRatio(o.aspect), Style: engine.RenderStyle(o.style),
		Fit: render.Fit(o.fit), Captions: limits,
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
	if len(result.Fast) > 0 {
		printFast(std, result.ReadingSpeed, len(result.Fast), result.Captions, result.Fast[0].Start)
	}
	if result.Message != "" {
		fmt.Fprintln(std.err, "soundstage: "+result.Message)
	}
	return nil
}

// words returns the words of the transcript file, or invented ones without a file.
func (o renderFlags) words(
	ctx context.Context, std streams, transcripts []string, media engine.Media, src engine.Source, info engine.MediaInfo,
) ([]transcript.Word, transcript.Language, error) {
	if len(transcripts) == 1 {
		parsed, err := readTranscript(std, transcripts[0], transcript.Language(o.language))
		return captions.Prepare(parsed.Transcript, nil, true).Words(), parsed.Language, err
	}
	result, err := (&fake.Transcriber{Media: media, Diarizer: diarize.Diarizer{}}).Transcribe(ctx, engine.TranscribeRequest{
		Source: src, Info: info, Language: transcript.Language(o.language),
	})
	return result.Words, result.Language, err
}
