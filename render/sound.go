package render

import (
	"math"
	"strconv"
	"time"

	ffmpeg "github.com/u2takey/ffmpeg-go"
)

// Sound is what was measured in a window: what a plan needs to set the loudness and to draw the bars. The zero value is
// audio that was not measured: its loudness stays unchanged.
type Sound struct {
	Loudness float64   // integrated, in LUFS; -Inf for silence
	Peak     float64   // true peak, in dBTP
	Levels   []float64 // root mean square of each LevelStep, 0 to 1
}

// LevelsPerSecond is the number of Levels per second.
const LevelsPerSecond = 50

// Loudness of the result: what podcast platforms ask for unless it has a target, with a peak that survives the encoder.
const (
	targetLoudness = -16.0
	limitPeak      = -2.0 // of samples; the true peak is up to 1 dB higher
	maxGain        = 24.0
	minGain        = -18.0
	silence        = -65.0 // anything softer is room noise and isn't amplified
)

// gain returns the amplification in dB to reach a loudness.
func (s Sound) gain(target float64) float64 {
	if s.Loudness == 0 && s.Peak == 0 || math.IsNaN(s.Loudness) || s.Loudness < silence {
		return 0
	}
	return min(max(target-s.Loudness, minGain), maxGain)
}

// limited reports whether the gain raises peaks above limitPeak.
func (s Sound) limited(target float64) bool {
	return s.gain(target) != 0 && s.Peak+s.gain(target) > limitPeak
}

// audio returns the audio of the window in stereo for the encoder: silence if there is no audio.
func (p Plan) audio(media *ffmpeg.Stream) *ffmpeg.Stream {
	length, target := seconds6(p.Duration), targetOf(p.request.Target).Loudness
	if p.sound == nil {
		return ffmpeg.Input("anullsrc=r=48000:cl=stereo", ffmpeg.KwArgs{"format": "lavfi", "t": length}).Get("a")
	}
	a := media.Get(strconv.Itoa(p.sound.Stream))
	if p.facts.Audio.Channels > maxLayout {
		a = a.Filter("pan", ffmpeg.Args{mixStereo(p.facts.Audio.Channels)})
	}
	a = p.cut.sound(a).
		Filter("aresample", ffmpeg.Args{"48000"}, ffmpeg.KwArgs{"async": 1, "first_pts": 0}).
		Filter("aformat", nil, ffmpeg.KwArgs{"sample_fmts": "fltp", "channel_layouts": "stereo"}).
		Filter("volume", ffmpeg.Args{number(p.measured.gain(target)) + "dB"})
	if p.measured.limited(target) {
		a = a.Filter("alimiter", nil, ffmpeg.KwArgs{
			"limit": strconv.FormatFloat(math.Pow(10, limitPeak/20), 'f', 3, 64), "attack": 5, "release": 50, "level": "false",
		})
	}
	return p.fade(a.Filter("apad", nil, ffmpeg.KwArgs{"whole_dur": length}))
}

// maxLayout is the most channels for which ffmpeg guesses a layout.
const maxLayout = 8

// mixStereo returns the pan filter's argument for the mean of all channels on both sides.
func mixStereo(channels int) string {
	all := mixAll(channels)[len("mono|c0<"):]
	return "stereo|c0<" + all + "|c1<" + all
}

// fade fades the sound in and out at the cuts, as the Style says, so that they don't click.
func (p Plan) fade(a *ffmpeg.Stream) *ffmpeg.Stream {
	if p.request.Look == nil || p.request.Look.Cut.FadeMS == 0 {
		return a
	}
	length := min(time.Duration(p.request.Look.Cut.FadeMS)*time.Millisecond, p.Duration/4)
	return a.Filter("afade", nil, ffmpeg.KwArgs{"type": "in", "duration": seconds6(length)}).
		Filter("afade", nil, ffmpeg.KwArgs{"type": "out", "start_time": seconds6(p.Duration - length), "duration": seconds6(length)})
}
