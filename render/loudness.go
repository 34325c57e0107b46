package render

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"strconv"
	"time"

	ffmpeg "github.com/u2takey/ffmpeg-go"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// measure measures the audio of a window in one pass: its loudness by EBU R 128, and its levels.
func (f FFmpeg) measure(ctx context.Context, op string, file localFile, facts MediaFacts, w transcript.Window, progress func(float64)) (Sound, error) {
	quiet := Sound{Loudness: math.Inf(-1), Peak: math.Inf(-1)}
	if facts.Sound == nil {
		return quiet, nil
	}
	program, err := f.ffmpeg(op)
	if err != nil {
		return Sound{}, err
	}
	args, err := measureArgs(file.path, facts, w)
	if err != nil {
		return Sound{}, internal(op, err)
	}
	p, err := f.start(ctx, program, args)
	if err != nil {
		return Sound{}, startError(ctx, op, err)
	}
	defer p.close()
	levels, err := readLevels(p, w.End-w.Start, progress)
	if err != nil {
		return Sound{}, internal(op, err)
	}
	if err := failure(op, p, p.wait(), file, true); err != nil {
		return Sound{}, err
	}
	sound := quiet
	sound.Levels = levels
	output := p.stderr.String()
	sound.Loudness = lastNumber(integrated, output)
	sound.Peak = lastNumber(truePeak, output)
	return sound, nil
}

// measureArgs makes ffmpeg write samples to standard output and print the loudness at the end.
func measureArgs(path string, facts MediaFacts, w transcript.Window) ([]string, error) {
	return compile(func() *ffmpeg.Stream {
		c := cutOf(facts.Format, w.Start, w.End-w.Start)
		a := ffmpeg.Input(fileURL(path), c.input(ffmpeg.KwArgs{
			"v": "info", "nostdin": "", "hide_banner": "", "nostats": "", "filter_complex_threads": 1, "vn": "", "sn": "", "dn": "",
		})).Get(strconv.Itoa(facts.Sound.Stream))
		if facts.Audio.Channels > maxLayout {
			a = a.Filter("pan", ffmpeg.Args{mixStereo(facts.Audio.Channels)})
		}
		return c.sound(a).
			Filter("aresample", ffmpeg.Args{"48000"}, ffmpeg.KwArgs{"async": 1, "first_pts": 0}).
			Filter("aformat", nil, ffmpeg.KwArgs{"channel_layouts": "stereo"}).
			Filter("ebur128", nil, ffmpeg.KwArgs{"peak": "true", "framelog": "verbose"}).
			Filter("aresample", ffmpeg.Args{strconv.Itoa(transcript.SampleRate)}).
			Filter("aformat", nil, ffmpeg.KwArgs{"channel_layouts": "mono", "sample_fmts": "s16"}).
			Output("pipe:1", ffmpeg.KwArgs{"format": "s16le", "t": seconds6(c.length)})
	})
}

var (
	integrated = lazyregexp.New(`(?s)Integrated loudness:\s+I:\s+(-?[0-9.]+|-inf|nan) LUFS`)
	truePeak   = lazyregexp.New(`(?s)True peak:\s+Peak:\s+(-?[0-9.]+|-inf|nan) dBFS`)
)

// lastNumber returns a number of ebur128's last summary; -Inf for silence or if there is no summary. The first summary is that
// of a trial filter, which got no samples.
func lastNumber(what *lazyregexp.Regexp, output string) float64 {
	all := what.FindAllStringSubmatch(output, -1)
	if len(all) == 0 {
		return math.Inf(-1)
	}
	v, err := strconv.ParseFloat(all[len(all)-1][1], 64)
	if err != nil || math.IsNaN(v) {
		return math.Inf(-1)
	}
	return v
}

// readLevels returns the root mean square of each 1/LevelsPerSecond of 16-bit samples.
func readLevels(r io.Reader, length time.Duration, progress func(float64)) ([]float64, error) {
	const samples = transcript.SampleRate / LevelsPerSecond
	var levels []float64
	buf := make([]byte, samples*2)
	for {
		n, err := io.ReadFull(r, buf)
		if n >= 2 {
			sum := 0.0
			for i := 0; i+1 < n; i += 2 {
				v := float64(int16(binary.LittleEndian.Uint16(buf[i:]))) / 32768
				sum += v * v
			}
			levels = append(levels, math.Sqrt(sum/float64(n/2)))
			progress(float64(len(levels)) / LevelsPerSecond / length.Seconds())
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return levels, nil
		}
		if err != nil {
			return nil, err
		}
	}
}
