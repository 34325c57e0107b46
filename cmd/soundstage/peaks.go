package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/media"
	"github.com/soundstage-dev/soundstage/render"
	"github.com/soundstage-dev/soundstage/render/peaks"
)

// peaksFlags are the parsed flags of `soundstage peaks`.
type peaksFlags struct {
	output                     string
	samplesPerPixel, perSecond int
	bits                       int
	split                      bool
	longest                    time.Duration
}

func newPeaks(std streams) *cobra.Command {
	var o peaksFlags
	cmd := &cobra.Command{
		Use:   "peaks FILE",
		Short: "Compute the waveform of a media file for players",
		Long: `Computes the waveform of any media that ffmpeg reads: the least and the greatest sample of each pixel. The output is JSON or binary
(.dat, version 2), as the BBC's audiowaveform writes it, for peaks.js and other players. Channels become one waveform of their mean, or
with --split-channels one each. Memory is constant.

Exit codes: 2 wrong flags, 3 no such file, 5 ffmpeg is missing or the output can't be written, 6 the media can't be used.`,
		Example: `  soundstage peaks interview.mp4 -o interview.dat
  soundstage peaks talk.mp3 -o talk.json --pixels-per-second 20 --bits 8
  soundstage peaks call.wav -o call.dat --split-channels`,
		Args: exactArgs(1, "one media file"),
		RunE: func(cmd *cobra.Command, args []string) error { return runPeaks(cmd.Context(), args[0], o, std) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "", "JSON or dat `file` to write (required)")
	f.IntVar(&o.samplesPerPixel, "samples-per-pixel", 0, fmt.Sprintf("`samples` per pixel, %d to %d; default %d", peaks.MinSamplesPerPixel, peaks.MaxSamplesPerPixel, peaks.DefaultSamplesPerPixel))
	f.IntVar(&o.perSecond, "pixels-per-second", 0, "`pixels` per second, instead of --samples-per-pixel; rounded so that pixels have whole samples")
	f.IntVar(&o.bits, "bits", 16, "`bits` of a value: 8 or 16")
	f.BoolVar(&o.split, "split-channels", false, "write a waveform per channel")
	f.DurationVar(&o.longest, "max-duration", 0, maxDurationHelp)
	return cmd
}

// format returns the format of the output file's extension, or CodeInvalid for flags that are wrong whatever the media is.
func (o peaksFlags) format() (peaks.Format, error) {
	const op = "peaks"
	invalid := func(hint, format string, args ...any) (peaks.Format, error) {
		return "", engine.Errorf(engine.CodeInvalid, op, format, args...).WithHint(hint)
	}
	format := peaks.Format(strings.ToLower(strings.TrimPrefix(filepath.Ext(o.output), ".")))
	switch {
	case o.output == "":
		return invalid("Use a file with the extension .json or .dat.", "-o is required: the file to write.")
	case format != peaks.JSON && format != peaks.DAT:
		return invalid("Use .json or .dat.", "The extension of %s is not a format of waveforms.", o.output)
	case o.samplesPerPixel != 0 && o.perSecond != 0:
		return invalid("Set one of them.", "--samples-per-pixel and --pixels-per-second contradict each other.")
	case o.samplesPerPixel < 0 || o.perSecond < 0:
		return invalid("Leave them out for the default.", "--samples-per-pixel and --pixels-per-second must be greater than zero.")
	case o.bits != 8 && o.bits != 16:
		return invalid("Use 8 or 16.", "--bits must be 8 or 16 (got %d).", o.bits)
	}
	return format, checkMaxDuration(o.longest)
}

func runPeaks(ctx context.Context, path string, o peaksFlags, std streams) error {
	format, err := o.format()
	if err != nil {
		return err
	}
	if sameFile(path, o.output) {
		return engine.Errorf(engine.CodeInvalid, "peaks", "The waveform would overwrite its input %s.", path).WithHint("Choose another file with -o.")
	}
	ffmpeg := render.FFmpeg{}
	m, err := openMedia(ctx, ffmpeg, path, o.longest)
	if err != nil {
		return err
	}
	if m.info.Audio == nil {
		return engine.Errorf(engine.CodeBadMedia, "peaks", "The media has no audio stream.")
	}
	c := peaks.Config{SampleRate: m.info.Audio.SampleRate, Channels: m.info.Audio.Channels, SamplesPerPixel: o.samplesPerPixel, Bits: o.bits, Split: o.split}
	if o.perSecond != 0 {
		c.SamplesPerPixel = max(c.SampleRate/o.perSecond, 1)
	}
	if c, err = c.WithDefaults(); err != nil {
		return err
	}
	pcm, err := ffmpeg.DecodeChannels(ctx, m.src, c.SampleRate, c.Channels)
	if err != nil {
		return err
	}
	bar := newProgress(std.err, "Listening")
	total := m.info.Duration.Seconds() * float64(2*c.SampleRate*c.Channels)
	sound := media.Counted(media.LimitSound(pcm, o.longest, c.SampleRate, c.Channels), func(n int64) { bar.set(float64(n) / max(total, 1)) })
	err = replaceFile(o.output, func(f *os.File) error { return peaks.Write(f, sound, format, c) })
	bar.end()
	if closeErr := pcm.Close(); err == nil {
		err = closeErr
	}
	return err
}
