package diarize_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"testing/iotest"
	"time"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/diarize/der"
	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/stretchr/testify/require"
)

// synthSpeech returns speech-like sound: syllables of a pulse train through two resonators, in integer arithmetic, so that it is
// identical on every machine. Voices differ in pitch and resonances.
func synthSpeech(seed uint64, voices []int, seconds int) []int16 {
	rng := rand.NewPCG(seed, 5)
	var out []int16
	who, turnEnd := 0, 0
	for len(out) < seconds*rate {
		if len(out) >= turnEnd {
			who = (who + 1) % len(voices)
			turnEnd = len(out) + rate*3 + int(rng.Uint64()%(3*rate))
			out = append(out, make([]int16, rate/2)...)
		}
		v := voices[who]
		period := rate / (90 + 25*v)
		vowel := int(rng.Uint64() % 4)
		// y[t] = x[t] + a·y[t−1] − b·y[t−2], in 1/4096: the resonances depend on voice and vowel.
		a1, a2 := int64(7400-140*v-150*vowel), int64(5600-1100*(v%3)+400*vowel-200*v)
		var y1, y2, z1, z2 int64
		for t := range rate * 3 / 20 {
			var x int64 = int64(rng.Uint64()%64) - 32
			if t%period == 0 {
				x += 2500
			}
			y := x + (a1*y1-3900*y2)>>12
			y2, y1 = y1, y
			z := y + (a2*z1-3700*z2)>>12
			z2, z1 = z1, z
			out = append(out, int16(min(max(z/8, -32768), 32767)))
		}
		out = append(out, make([]int16, rate/12)...)
	}
	return out[:seconds*rate]
}

func run(tb testing.TB, samples []int16, c diarize.Config) diarize.Turns {
	tb.Helper()
	turns, err := diarize.Run(context.Background(), bytes.NewReader(pcm(samples)), c)
	require.NoError(tb, err)
	valid(tb, turns, samples)
	return turns
}

// Audio without speech gives no turns and no error.
func TestNoSpeech(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(8, 8))
	noise, hum := make([]int16, 20*rate), make([]int16, 20*rate)
	for i := range noise {
		noise[i] = int16(rng.NormFloat64() * 2000)
		hum[i] = int16(8000*math.Sin(2*math.Pi*50*float64(i)/rate)) + int16(rng.NormFloat64()*20)
	}
	for name, samples := range map[string][]int16{
		"no samples": nil, "one sample": {1}, "a frame": make([]int16, 160), "100 ms of silence": make([]int16, rate/10),
		"silence": make([]int16, 20*rate), "white noise": noise, "mains hum": hum,
		"pink noise": quantise(scaled(pink(20*rate, rng), 0.05)), "DC only": steady(20*rate, 12000),
		"full scale": steady(20*rate, 32767),
	} {
		require.Empty(t, run(t, samples, diarize.Config{}), name)
		require.Empty(t, run(t, samples, diarize.Config{Speakers: 3}), name)
	}
}

func steady(n int, v int16) []int16 {
	out := make([]int16, n)
	for i := range out {
		out[i] = v
	}
	return out
}

func scaled(x []float64, factor float64) []float64 {
	for i := range x {
		x[i] *= factor
	}
	return x
}

// A sound of 0.1 s in a pause is no turn, even if it sounds like speech.
func TestShortSoundIsNoTurn(t *testing.T) {
	t.Parallel()
	speech := synthSpeech(7, []int{0}, 8)
	pause := make([]int16, 3*rate)
	copy(pause[3*rate/2:], speech[rate:rate+rate/10])
	samples := append(append(append([]int16{}, speech...), pause...), speech...)
	turns := run(t, samples, diarize.Config{})
	require.NotEmpty(t, turns)
	for _, turn := range turns {
		require.True(t, turn.End <= 9*time.Second || turn.Start >= 10*time.Second, "%v to %v", turn.Start, turn.End)
	}
}

// Music alone may be classified as speech, but the result is valid; music behind a voice adds no speaker, and neither does music
// before, between and after two voices.
func TestMusic(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it computes")
	long(t)
	run(t, quantise(scaled(music(20*rate, rand.New(rand.NewPCG(9, 9))), 0.05)), diarize.Config{})
	samples, _ := script{seed: 40, voices: cast[:1], length: 40 * time.Second, music: 15}.play(t)
	require.Equal(t, 1, run(t, samples, diarize.Config{}).Speakers())
	var whole []int16
	jingle := quantise(scaled(music(5*rate, rand.New(rand.NewPCG(10, 10))), 0.05))
	var between []der.Segment
	for seed := range uint64(2) {
		samples, ref := script{seed: 41 + seed, voices: cast[:2], length: 25 * time.Second}.play(t)
		start := time.Duration(len(whole)+len(jingle)) * time.Second / rate
		for _, s := range ref {
			between = append(between, der.Segment{Speaker: s.Speaker, Start: start + s.Start, End: start + s.End})
		}
		whole = append(append(whole, jingle...), samples...)
	}
	whole = append(whole, jingle...)
	for _, n := range []int{0, 2} {
		turns := run(t, whole, diarize.Config{Speakers: n})
		require.Equal(t, 2, turns.Speakers())
		require.Less(t, der.DER(between, der.FromTurns(turns), der.Options{}).DER(), 0.1)
	}
}

// Damaged recordings are diarized like intact ones: two voices stay two.
func TestBrokenRecordings(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it computes")
	long(t)
	samples, _ := script{seed: 30, voices: cast[:2], length: 50 * time.Second}.play(t)
	change := func(fn func(i int, x float64) float64) []int16 {
		out := make([]int16, len(samples))
		for i, s := range samples {
			out[i] = int16(min(max(fn(i, float64(s)), -32768), 32767))
		}
		return out
	}
	for name, broken := range map[string][]int16{
		"DC offset":        change(func(_ int, x float64) float64 { return x/2 + 9000 }),
		"clipped":          change(func(_ int, x float64) float64 { return 12 * x }),
		"very quiet":       change(func(_ int, x float64) float64 { return x / 60 }),
		"one channel dead": change(func(_ int, x float64) float64 { return x / 2 }),
		"telephone":        telephone(samples),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, 2, run(t, broken, diarize.Config{}).Speakers())
		})
	}
}

// telephone simulates an 8 kHz line: every second sample, linearly interpolated.
func telephone(samples []int16) []int16 {
	out := make([]int16, len(samples))
	for i := range out {
		a, b := samples[i/2*2], samples[min(i/2*2+2, len(samples)-1)]
		out[i] = a
		if i%2 == 1 {
			out[i] = int16((int(a) + int(b)) / 2)
		}
	}
	return out
}

// A single word is one turn of one speaker; 100 ms of a vowel are one or none.
func TestVeryShort(t *testing.T) {
	t.Parallel()
	word := say(t, cast[0], "Hello!")
	padded := append(append(make([]float64, rate/2), word...), make([]float64, rate/2)...)
	for _, c := range []diarize.Config{{}, {Speakers: 3}, {Expected: 2}} {
		turns := run(t, quantise(padded), c)
		require.Len(t, turns, 1)
		require.InDelta(t, 0.5, turns[0].Start.Seconds(), 0.15)
		require.LessOrEqual(t, run(t, quantise(word[:rate/10]), c).Speakers(), 1)
	}
}

// Two people who always talk at the same time are two speakers or one, never more.
func TestAlwaysOverlapping(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it computes minutes of speech")
	long(t)
	a, _ := script{seed: 31, voices: cast[:1], length: 40 * time.Second}.play(t)
	b, _ := script{seed: 32, voices: cast[1:2], length: 40 * time.Second}.play(t)
	mixed := make([]int16, min(len(a), len(b)))
	for i := range mixed {
		mixed[i] = a[i]/2 + b[i]/2
	}
	require.LessOrEqual(t, run(t, mixed, diarize.Config{}).Speakers(), 3)
}

// Twelve speakers are supported, although similar voices may be merged.
func TestTwelveSpeakers(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it computes minutes of speech")
	long(t)
	samples, _ := script{seed: 33, voices: cast, length: 180 * time.Second}.play(t)
	n := run(t, samples, diarize.Config{}).Speakers()
	require.True(t, n >= 5 && n <= 13, "%d speakers", n)
	require.Equal(t, 12, run(t, samples, diarize.Config{Speakers: 12}).Speakers())
}

// An exact number of speakers is found, even if two of them are the same voice.
func TestExactSpeakers(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it computes minutes of speech")
	long(t)
	samples, _ := script{seed: 38, voices: cast, length: 120 * time.Second}.play(t)
	require.Equal(t, 14, run(t, samples, diarize.Config{Speakers: 14}).Speakers())
}

// The error of a reader that fails midway is returned.
func TestReaderFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("the disk is gone")
	audio := pcm(synthSpeech(1, []int{0, 2}, 20))
	_, err := diarize.Run(context.Background(), io.MultiReader(bytes.NewReader(audio), iotest.ErrReader(broken)), diarize.Config{})
	require.ErrorIs(t, err, broken)
}

// The sizes of reads make no difference, nor does half a sample at the end.
func TestReadsOfAnySize(t *testing.T) {
	t.Parallel()
	audio := pcm(synthSpeech(1, []int{0, 2}, 20))
	want, err := diarize.Run(context.Background(), bytes.NewReader(audio), diarize.Config{})
	require.NoError(t, err)
	require.NotEmpty(t, want)
	for name, r := range map[string]io.Reader{
		"bytes": iotest.OneByteReader(bytes.NewReader(audio)), "halves": iotest.HalfReader(bytes.NewReader(audio)),
		"with the end": iotest.DataErrReader(bytes.NewReader(audio)), "odd": bytes.NewReader(append(bytes.Clone(audio), 7)),
	} {
		got, err := diarize.Run(context.Background(), r, diarize.Config{})
		require.NoError(t, err)
		require.Equal(t, want, got, name)
	}
}

// An invalid Config is CodeInvalid.
func TestBadConfig(t *testing.T) {
	t.Parallel()
	for _, c := range []diarize.Config{{Speakers: -1}, {Expected: -1}, {MinSpeakers: -1}, {MaxSpeakers: -2}, {Speakers: 41},
		{MinSpeakers: 41}, {MaxSpeakers: 1000}, {MinSpeakers: 3, MaxSpeakers: 2}} {
		_, err := diarize.Run(context.Background(), bytes.NewReader(nil), c)
		require.Equal(t, fault.CodeInvalid, fault.CodeOf(err), "%+v", c)
	}
}

// A cancel at any moment, in every stage, ends Run with the context's error and leaves no goroutine.
func TestCancel(t *testing.T) {
	slow.Short(t, "it computes")
	long(t)
	audio := pcm(synthSpeech(2, []int{0, 2, 5}, 40))
	checks := &countdown{Context: context.Background(), left: math.MaxInt}
	_, err := diarize.Run(checks, bytes.NewReader(audio), diarize.Config{})
	require.NoError(t, err)
	all := math.MaxInt - checks.left
	require.Greater(t, all, 50, "number of checks of the context")
	before := runtime.NumGoroutine()
	for at := 0; at < all; at += max(1, all/20) {
		_, err := diarize.Run(&countdown{Context: context.Background(), left: at}, bytes.NewReader(audio), diarize.Config{})
		require.ErrorIs(t, err, context.Canceled, "at check %d of %d", at, all)
	}
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+1 }, time.Minute, time.Millisecond) // one more for Eventually
}

// The short form of TestCancel: a short recording, and goroutines aren't counted.
func TestCancelShort(t *testing.T) {
	t.Parallel()
	long(t)
	audio := pcm(synthSpeech(2, []int{0, 2}, 8))
	checks := &countdown{Context: context.Background(), left: math.MaxInt}
	_, err := diarize.Run(checks, bytes.NewReader(audio), diarize.Config{})
	require.NoError(t, err)
	all := math.MaxInt - checks.left
	for at := 0; at < all; at += max(1, all/30) {
		_, err := diarize.Run(&countdown{Context: context.Background(), left: at}, bytes.NewReader(audio), diarize.Config{})
		require.ErrorIs(t, err, context.Canceled, "at check %d of %d", at, all)
	}
}

// countdown is a context that is cancelled after a number of calls of Err.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// Progress never decreases and ends with 1.
func TestProgress(t *testing.T) {
	t.Parallel()
	for _, length := range []time.Duration{0, 20 * time.Second, 5 * time.Second} {
		var seen []float64
		run(t, synthSpeech(1, []int{0, 2}, 20), diarize.Config{Duration: length, Progress: func(done float64) { seen = append(seen, done) }})
		require.IsIncreasing(t, seen)
		require.Equal(t, 1.0, seen[len(seen)-1])
		require.Greater(t, len(seen), 5)
	}
}

// Any samples give a valid result.
func FuzzRun(f *testing.F) {
	f.Add([]byte{}, uint8(0))
	f.Add([]byte{1}, uint8(1))
	f.Add(bytes.Repeat([]byte{0xff, 0x7f, 0x00, 0x80}, 20000), uint8(2))
	f.Add(pcm(synthSpeech(3, []int{0, 4}, 4)), uint8(3))
	f.Fuzz(func(t *testing.T, audio []byte, speakers uint8) {
		samples := make([]int16, len(audio)/2)
		for i := range samples {
			samples[i] = int16(audio[2*i]) | int16(audio[2*i+1])<<8
		}
		for len(samples) > 0 && len(samples) < rate { // the fuzzer's inputs are short: repeat them
			samples = append(samples, samples...)
		}
		run(t, samples, diarize.Config{Speakers: int(speakers % 6)})
	})
}
