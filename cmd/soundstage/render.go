package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/render"
)

// renderFlags are the parsed flags of `soundstage render`.
type renderFlags struct {
	cutFlags
	language string
	longest  time.Duration
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
	o.add(cmd, cutHelp{end: "; default the end of the media, at most 3m after --from", output: " (required)"})
	f := cmd.Flags()
	f.StringVar(&o.language, "language", "", "language `code` of the words, if the transcript has none")
	f.DurationVar(&o.longest, "max-duration", 0, maxDurationHelp)
	return cmd
}

func (o *renderFlags) validate(transcripts int) error {
	const op = "render"
	if o.files.output == "" {
		return engine.Errorf(engine.CodeInvalid, op, "-o is required: the file to write.")
	}
	language := setSpoken // of words that are invented
	if transcripts > 0 {
		language = setWritten
	}
	return cmp.Or(o.files.checkVideo(o.files.output), o.check(op), language(op, &o.language), checkMaxDuration(o.longest))
}

func runRender(ctx context.Context, args []string, o renderFlags, std streams) error {
	if err := o.validate(len(args) - 1); err != nil {
		return err
	}
	if err := cmp.Or((render.FFmpeg{}).Check(ctx), checkMedia(args[0])); err != nil {
		return err
	}
	one := cut{title: o.look.title, files: o.files.one()}
	if err := o.files.checkFiles("render", args, one.files); err != nil {
		return err
	}
	c, remove, err := o.openCutter(ctx, args[0], o.longest)
	if err != nil {
		return err
	}
	defer func() { _ = remove() }()
	bar := newProgress(std.err, "Rendering")
	defer bar.end()
	if len(args) == 2 {
		err = c.read(std, args[1], o.language)
	} else {
		err = c.invent(ctx, o.language)
	}
	if err != nil {
		return err
	}
	if one.window, err = c.window(); err != nil {
		return err
	}
	result, err := c.render(ctx, "render", one, bar.set)
	if err != nil {
		return err
	}
	bar.end()
	length := cmp.Or(result.Duration, one.window.End-one.window.Start).Round(time.Millisecond) // a still has none
	fmt.Fprintf(std.out, "%s: %d×%d, %s, from %s to %s\n", one.files.video, result.Width, result.Height, length, clock(one.window.Start), clock(one.window.End))
	reportClip(std, result)
	return nil
}

// invent makes words up.
func (c *cutter) invent(ctx context.Context, language string) error {
	result, err := (&fake.Transcriber{Media: c.limited, Diarizer: diarize.Diarizer{}}).Transcribe(ctx, engine.TranscribeRequest{
		Source: c.src, Info: c.info, Language: transcript.Language(language),
	})
	if err == nil {
		c.say(transcript.Transcript{Language: result.Language, Utterances: transcript.BuildUtterances(result.Words, result.Language)})
	}
	return err
}
