package diarize_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/soundstage-dev/soundstage/diarize/der"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/stretchr/testify/require"
)

const rate = 16000

// voice is a speaker of espeak-ng.
type voice struct {
	name  string // language and variant: "en-us+m3"
	pitch int    // 0 to 99
	speed int    // words per minute
}

// cast are voices with different timbres; conversations use the first ones. Many espeak-ng voices are the same vocal tract
// at another pitch (for example "en-us" and "en-gb", or "en-gb" and all variants of it), unlike real speakers.
var cast = []voice{
	{"en-us+m7", 30, 150}, {"en-us+f1", 60, 165}, {"en-gb+m4", 40, 160}, {"en-us+f4", 70, 170},
	{"en-us+m5", 35, 150}, {"en-us+f2", 55, 160}, {"en-us+f5", 80, 175}, {"en-us+m3", 50, 160},
	{"en-gb-scotland", 40, 155}, {"en-us+m1", 45, 165}, {"en-us+m2", 25, 150}, {"en-us+f3", 65, 160},
}

var sentences = []string{
	"Good morning everybody, and welcome to the weekly meeting of the engineering team.",
	"I had a look at the numbers from last week, and they are better than we expected.",
	"Could you tell us a little more about the problem with the deployment on Friday?",
	"The build was red for almost three hours because of a flaky network test.",
	"We should write that down, otherwise nobody will remember it next month.",
	"My suggestion is to split the work into two parts and to begin with the smaller one.",
	"Honestly, I don't think that we can finish before the end of the quarter.",
	"There is one more thing that we have to discuss before lunch.",
	"Yes, that sounds reasonable to me.",
	"The customers in the north asked for a cheaper plan and for longer trials.",
	"What about the budget for the new machines in the basement?",
	"She told me that the contract had been signed by all the parties yesterday evening.",
	"Let's move on to the next topic, which is the summer party.",
	"No, I would rather wait until we have heard back from the lawyers.",
	"It took them two years to build the bridge, and one night to lose it in a flood.",
	"Please send me the slides afterwards, so that I can share them with my colleagues.",
}

// long skips a test that is too slow under the race detector.
func long(tb testing.TB) {
	tb.Helper()
	if slow.Raced {
		tb.Skip("too slow under the race detector")
	}
}

// missing skips a test on a laptop that lacks a program, and fails it in CI.
func missing(tb testing.TB, program string) {
	tb.Helper()
	if _, err := exec.LookPath(program); err == nil {
		return
	}
	if os.Getenv("CI") == "true" {
		tb.Fatalf("%s is not installed", program)
	}
	tb.Skipf("%s is not installed", program)
}

var spoken sync.Map // sentence and voice → samples

// say returns the sentence in the voice, at 16 kHz, with a peak of 0.5. What is said is kept.
func say(tb testing.TB, v voice, sentence string) []float64 {
	tb.Helper()
	missing(tb, "espeak-ng")
	once, _ := spoken.LoadOrStore(fmt.Sprint(v, sentence), sync.OnceValues(func() ([]float64, error) { return v.say(sentence) }))
	x, err := once.(func() ([]float64, error))()
	require.NoError(tb, err)
	return x
}

// say returns what the function say does, and keeps nothing.
func (v voice) say(sentence string) ([]float64, error) {
	wav, err := exec.Command("espeak-ng", "-v", v.name, "-p", strconv.Itoa(v.pitch), "-s", strconv.Itoa(v.speed), "--stdout", sentence).Output()
	if err != nil || len(wav) < 44 {
		return nil, fmt.Errorf("espeak-ng: %d bytes, %w", len(wav), err)
	}
	from := int(binary.LittleEndian.Uint32(wav[24:]))
	data := wav[44:]
	if at := bytes.Index(wav, []byte("data")); at > 0 {
		data = wav[at+8:]
	}
	x, peak := make([]float64, len(data)/2), 1e-9
	for i := range x {
		x[i] = float64(int16(binary.LittleEndian.Uint16(data[2*i:])))
		peak = max(peak, math.Abs(x[i]))
	}
	for i := range x {
		x[i] *= 0.5 / peak
	}
	return resample(x, from), nil
}

// resample converts x to 16 kHz with a windowed sinc.
func resample(x []float64, from int) []float64 {
	if from == rate {
		return x
	}
	const half = 16
	step := float64(from) / rate
	cutoff := min(1, 1/step)
	out := make([]float64, int(float64(len(x))/step))
	for i := range out {
		at := float64(i) * step
		for k := int(at) - half + 1; k <= int(at)+half; k++ {
			if k < 0 || k >= len(x) {
				continue
			}
			d, w := at-float64(k), cutoff
			if a := math.Pi * d * cutoff; a != 0 {
				w *= math.Sin(a) / a
			}
			out[i] += x[k] * w * (0.5 + 0.5*math.Cos(math.Pi*d/half))
		}
	}
	return out
}

// script describes a conversation.
type script struct {
	seed    uint64
	voices  []voice
	length  time.Duration
	overlap float64 // probability that a speaker starts before the previous one ends
	noise   float64 // signal-to-noise ratio in dB; 0 for none
	music   float64 // speech-to-music ratio in dB; 0 for none
	room    float64 // reverberation time in seconds; 0 for none
}

// play synthesises the script. Speakers alternate in turns of one to three sentences.
func (s script) play(tb testing.TB) (samples []int16, ref []der.Segment) {
	tb.Helper()
	rng := rand.New(rand.NewPCG(s.seed, 99))
	audio := make([]float64, rate/2)
	last, heard := -1, 0
	for turn := 0; time.Duration(len(audio))*time.Second/rate < s.length || turn < 2*len(s.voices); turn++ {
		who := turn
		if turn >= len(s.voices) {
			who = rng.IntN(len(s.voices))
			if who == last && len(s.voices) > 1 {
				who = (who + 1) % len(s.voices)
			}
		}
		last = who
		at := len(audio) + int(rate*(0.15+0.6*rng.Float64()))
		if turn > 0 && rng.Float64() < s.overlap {
			at = max(heard, len(audio)-int(rate*(0.3+rng.Float64())))
		}
		heard = len(audio) // at most two speakers overlap
		for range 1 + rng.IntN(3) {
			x := say(tb, s.voices[who], sentences[rng.IntN(len(sentences))])
			for len(audio) < at+len(x) {
				audio = append(audio, 0)
			}
			for i, v := range x {
				audio[at+i] += v
			}
			ref = append(ref, loud(x, at, fmt.Sprint("voice", who))...)
			at += len(x) + int(rate*(0.1+0.4*rng.Float64()))
		}
	}
	return s.mix(audio, rng), ref
}

// mix adds the room, the noise, and the music of the script to speech.
func (s script) mix(audio []float64, rng *rand.Rand) []int16 {
	audio = append(audio, make([]float64, rate/2)...)
	if s.room > 0 {
		audio = reverberate(audio, s.room, rng)
	}
	level := rms(audio)
	if s.noise > 0 {
		addScaled(audio, pink(len(audio), rng), level*math.Pow(10, -s.noise/20))
	}
	if s.music > 0 {
		addScaled(audio, music(len(audio), rng), level*math.Pow(10, -s.music/20))
	}
	return quantise(audio)
}

// loud returns the speech in x: everything within 40 dB of its loudest 20 ms, including pauses under 0.25 s.
func loud(x []float64, at int, who string) []der.Segment {
	const step = rate / 100
	levels, top := []float64{}, 1e-9
	for i := 0; i+2*step <= len(x); i += step {
		levels = append(levels, rms(x[i:i+2*step]))
		top = max(top, levels[len(levels)-1])
	}
	clock := func(sample int) time.Duration { return time.Duration(sample) * time.Second / rate }
	var out []der.Segment
	for i, l := range levels {
		start, end := clock(at+i*step), clock(at+(i+2)*step)
		switch n := len(out); {
		case l < top/100:
		case n > 0 && start-out[n-1].End < 250*time.Millisecond:
			out[n-1].End = end
		default:
			out = append(out, der.Segment{Speaker: who, Start: start, End: end})
		}
	}
	return out
}

func rms(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum / float64(max(len(x), 1)))
}

// addScaled adds y, scaled to a level, to x.
func addScaled(x, y []float64, level float64) {
	factor := level / max(rms(y), 1e-12)
	for i := range x {
		x[i] += factor * y[i]
	}
}

// pink returns noise that falls by about 3 dB per octave: Kellet's three-pole filter.
func pink(n int, rng *rand.Rand) []float64 {
	out := make([]float64, n)
	var a, b, c float64
	for i := range out {
		w := rng.NormFloat64()
		a, b, c = 0.99765*a+w*0.0990460, 0.96300*b+w*0.2965164, 0.57000*c+w*1.0526913
		out[i] = a + b + c + w*0.1848
	}
	return out
}

// music returns chords of plucked strings over a bass, two beats per second.
func music(n int, rng *rand.Rand) []float64 {
	out := make([]float64, n)
	scale := []float64{0, 2, 4, 7, 9, 12, 14, 16}
	for start := 0; start < n; start += rate / 2 {
		root := 110 * math.Pow(2, scale[rng.IntN(4)]/12)
		for voice := range 4 {
			f := root
			if voice > 0 {
				f = 2 * root * math.Pow(2, scale[rng.IntN(len(scale))]/12)
			}
			for harmonic := 1.0; harmonic <= 6; harmonic++ {
				for i := start; i < min(n, start+rate); i++ {
					t := float64(i-start) / rate
					out[i] += math.Sin(2*math.Pi*f*harmonic*t) / harmonic * math.Exp(-3*t*math.Sqrt(harmonic)) * min(1, t*200)
				}
			}
		}
	}
	return out
}

// reverberate adds a room to x: the direct sound and a sparse, decaying tail that loses 60 dB in the given time.
func reverberate(x []float64, seconds float64, rng *rand.Rand) []float64 {
	type echo struct {
		delay int
		gain  float64
	}
	echoes := []echo{{0, 1}}
	for t := 0.004; t < seconds; t += 0.0015 * (0.5 + rng.Float64()) {
		gain := 0.22 * math.Pow(10, -3*t/seconds)
		if rng.IntN(2) == 0 {
			gain = -gain
		}
		echoes = append(echoes, echo{int(t * rate), gain})
	}
	out := make([]float64, len(x))
	for _, e := range echoes {
		for i := e.delay; i < len(x); i++ {
			out[i] += e.gain * x[i-e.delay]
		}
	}
	return out
}

// quantise converts audio to samples, scaled down if it would clip.
func quantise(audio []float64) []int16 {
	peak := 1.0
	for _, v := range audio {
		peak = max(peak, math.Abs(v)*1.02)
	}
	out := make([]int16, len(audio))
	for i, v := range audio {
		out[i] = int16(math.Round(v / peak * 32767))
	}
	return out
}

// dequantise undoes quantise. The helper floats divides by 32,768 instead, as audio of files needs.
func dequantise(samples []int16) []float64 {
	out := make([]float64, len(samples))
	for i, v := range samples {
		out[i] = float64(v) / 32767
	}
	return out
}

// pcm returns samples as little-endian bytes.
func pcm(samples []int16) []byte {
	out := make([]byte, 0, 2*len(samples))
	for _, s := range samples {
		out = binary.LittleEndian.AppendUint16(out, uint16(s))
	}
	return out
}

// samplesOf is the inverse of pcm.
func samplesOf(audio []byte) []int16 {
	out := make([]int16, len(audio)/2)
	for i := range out {
		out[i] = int16(binary.LittleEndian.Uint16(audio[2*i:]))
	}
	return out
}
