package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/diarize/der"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/render"
)

// diarizeFlags are the parsed flags of `soundstage diarize`.
type diarizeFlags struct {
	speakers int
	overlap  bool
	rttm     bool
	score    string
	longest  time.Duration
	voices   voiceModelFlags
}

func newDiarize(std streams) *cobra.Command {
	var o diarizeFlags
	cmd := &cobra.Command{
		Use:   "diarize FILE",
		Short: "Find out who spoke when",
		Long: `Finds the speakers in any media that ffmpeg reads, and prints their turns. It works offline, without a model, and gives the same
result on every machine. Accuracy depends on the sound; the documentation lists measured error rates.

If the parties of a call have a channel each, nobody speaks in both. What has its speakers mixed in two channels is mixed to one.

With --overlap, a turn of a second speaker during a turn of the first is marked with "+" in the table.

With --voice-model, a neural model in the ONNX format tells the voices apart. That needs a build with ONNX Runtime; see "Speakers" in the
documentation.

Exit codes: 2 wrong flags, 3 no such file, 5 ffmpeg or ONNX Runtime is missing, 6 the media can't be used.`,
		Example: `  soundstage diarize interview.mp4
  soundstage diarize interview.mp4 --speakers 2 --rttm > interview.rttm
  soundstage diarize debate.wav --overlap
  soundstage diarize meeting.wav --score meeting.rttm`,
		Args: exactArgs(1, "one media file"),
		RunE: func(cmd *cobra.Command, args []string) error { return runDiarize(cmd.Context(), args[0], o, std) },
	}
	f := cmd.Flags()
	f.IntVar(&o.speakers, "speakers", 0, "exact number of speakers; 0 to detect it")
	f.BoolVar(&o.overlap, "overlap", false, "find a second speaker who speaks at the same time, so that turns may overlap")
	f.BoolVar(&o.rttm, "rttm", false, "print NIST RTTM instead of a table")
	f.StringVar(&o.score, "score", "", "reference RTTM `file` to score the result against")
	f.DurationVar(&o.longest, "max-duration", 0, maxDurationHelp)
	o.voices.register(f)
	return cmd
}

func runDiarize(ctx context.Context, path string, o diarizeFlags, std streams) error {
	if err := checkMaxDuration(o.longest); err != nil {
		return err
	}
	reference, err := o.reference(path)
	if err != nil {
		return err
	}
	embedder, closeModel, err := o.voices.open(std)
	if err != nil {
		return err
	}
	defer closeModel()
	m, err := openMedia(ctx, render.FFmpeg{}, path, o.longest)
	if err != nil {
		return err
	}
	pcm, stereo, err := engine.DecodeFor(ctx, diarize.Diarizer{}, m.limited, m.src, m.info.Audio != nil && m.info.Audio.Channels == 2)
	if err != nil {
		return err
	}
	bar := newProgress(std.err, "Listening")
	began := time.Now()
	turns, err := diarize.Run(ctx, pcm, diarize.Config{
		Speakers: o.speakers, Overlap: o.overlap, Embedder: embedder, Duration: m.info.Duration, Progress: bar.set, Stereo: stereo,
	})
	bar.end()
	if closeErr := pcm.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	took := time.Since(began)
	if o.rttm {
		if err := der.WriteRTTM(std.out, stemOf(path), der.FromTurns(turns)); err != nil {
			return err
		}
	} else if err := printTurns(std.out, turns, m.info.Duration, took); err != nil {
		return err
	}
	if len(turns) == 0 {
		if hint := phaseHint(ctx, path); hint != "" {
			fmt.Fprintln(std.err, "soundstage:", hint)
		}
	}
	if reference != nil {
		out := std.out
		if o.rttm {
			out = std.err // the RTTM stays clean
		}
		s := der.DER(reference, der.FromTurns(turns), der.Options{})
		share := func(d time.Duration) float64 { return 100 * float64(d) / float64(max(s.Total, 1)) }
		fmt.Fprintf(out, "DER %.1f %% (missed %.1f, false alarm %.1f, confusion %.1f), JER %.1f %%\n", 100*s.DER(), share(s.Missed), share(s.FalseAlarm),
			share(s.Confusion), 100*der.JER(reference, der.FromTurns(turns), der.Options{}))
	}
	return nil
}

func stemOf(path string) string { return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) }

// reference reads the RTTM file to score against. It returns the segments of the media's name, or those of the only name in the file.
func (o diarizeFlags) reference(path string) ([]der.Segment, error) {
	if o.score == "" {
		return nil, nil
	}
	f, err := os.Open(o.score)
	if err != nil {
		return nil, fileError(o.score, err)
	}
	defer func() { _ = f.Close() }()
	all, err := der.ParseRTTM(f)
	if err != nil {
		return nil, err
	}
	if segments, ok := all[stemOf(path)]; ok {
		return segments, nil
	}
	for _, segments := range all {
		if len(all) == 1 {
			return segments, nil
		}
	}
	return nil, engine.Errorf(engine.CodeInvalid, "diarize", "%s has no segments for %s.", o.score, stemOf(path)).
		WithHint("Its second column must be the media file's name without the extension.")
}

// printTurns writes a table of the turns and each speaker's total time. A "+" marks Second turns.
func printTurns(out io.Writer, turns diarize.Turns, length, took time.Duration) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "start\tend\tspeaker\tconfidence\t")
	total := make([]time.Duration, turns.Speakers())
	for _, t := range turns {
		label := transcript.SpeakerLabel(t.Speaker)
		if t.Second {
			label = "+ " + label
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%.2f\t\n", clock(t.Start), clock(t.End), label, t.Confidence)
		total[t.Speaker] += t.End - t.Start
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	for i, d := range total {
		fmt.Fprintf(out, "%s spoke for %s.\n", transcript.SpeakerLabel(i), d.Round(time.Second/10))
	}
	if len(total) == 0 {
		fmt.Fprintln(out, "No speech found.")
	}
	_, err := fmt.Fprintf(out, "Processed %s of sound in %s.\n", length.Round(time.Second/10), took.Round(time.Millisecond))
	return err
}

// clock formats a media time as h:mm:ss.mmm.
func clock(d time.Duration) string {
	d = d.Round(time.Millisecond)
	return fmt.Sprintf("%d:%02d:%02d.%03d", d/time.Hour, d/time.Minute%60, d/time.Second%60, d/time.Millisecond%1000)
}
