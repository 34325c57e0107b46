package diarize

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// talk adds seconds of frames: half a second of speech at −20 dB, and half a second of what is under it. The coefficients of speech
// differ from frame to frame; those of music stay for 0.3 s and differ by spread, and those of noise differ by as much at each frame.
func talk(f *frames, rng *rand.Rand, seconds int, under float64, music bool, spread float64) {
	chord := make([]float64, coefficients)
	for i := range 100 * seconds {
		x, level := make([]float64, coefficients), -20.0
		if !music || i%30 == 0 {
			for k := range chord {
				chord[k] = spread * rng.NormFloat64()
			}
		}
		copy(x, chord)
		if i%100 >= 50 {
			level = under + rng.Float64()
		} else {
			for k := range x {
				x[k] = rng.NormFloat64()
			}
		}
		f.add(x, level)
	}
}

func beds(f *frames) (n int) {
	for i := range f.n {
		if f.bed(i) {
			n++
		}
	}
	return n
}

func TestMarkBed(t *testing.T) {
	t.Parallel()
	mark := func(add func(f *frames, rng *rand.Rand)) *frames {
		f := &frames{}
		add(f, rand.New(rand.NewPCG(9, 9)))
		markBed(f, span{0, f.n})
		return f
	}
	// Chords 20 dB below speech are music under it, from the first frame to the last.
	f := mark(func(f *frames, rng *rand.Rand) { talk(f, rng, 20, -40, true, 1) })
	require.Equal(t, f.n, beds(f))
	// Noise of the same level and spread isn't, and neither are chords 45 dB below.
	require.Zero(t, beds(mark(func(f *frames, rng *rand.Rand) { talk(f, rng, 20, -40, false, 1) })))
	require.Zero(t, beds(mark(func(f *frames, rng *rand.Rand) { talk(f, rng, 20, -65, true, 1) })))
	// Neither is a drone: its spectrum hardly changes.
	require.Zero(t, beds(mark(func(f *frames, rng *rand.Rand) { talk(f, rng, 20, -40, true, 0.3) })))
	// Nothing is found where nobody speaks, and in less than 6 s.
	require.Zero(t, beds(mark(func(f *frames, rng *rand.Rand) { talk(f, rng, 20, -24, true, 1) })))
	require.Zero(t, beds(mark(func(f *frames, rng *rand.Rand) { talk(f, rng, 5, -40, true, 1) })))
	require.Zero(t, beds(mark(func(*frames, *rand.Rand) {})))
	// Music under the first 4 of 10 minutes is found there.
	f = mark(func(f *frames, rng *rand.Rand) {
		talk(f, rng, 240, -40, true, 1)
		talk(f, rng, 360, -40, false, 1)
	})
	require.InDelta(t, 24000, beds(f), 600)
	require.True(t, f.bed(0))
	require.False(t, f.bed(f.n-1))
}

// Over music, speech starts at 30 % of the range above the floor, and its upper 40 % identify a voice.
func TestLevelsOverMusic(t *testing.T) {
	t.Parallel()
	for _, bed := range []bool{false, true} {
		f := &frames{}
		for i := range 1000 { // 2 dB apart: −60 to −22
			f.add(make([]float64, coefficients), -60+float64(2*(i%20)))
			if *f.flags(i) |= isSpeech; bed {
				*f.flags(i) |= isBed
			}
		}
		level, ok := speechLevels(f, span{0, f.n})
		require.True(t, ok)
		require.InDelta(t, map[bool]float64{false: -51, true: -47}[bed], float64(level[500]), 1.5)
		markCore(f, span{0, f.n})
		core := 0
		for i := range f.n {
			if f.core(i) {
				core++
			}
		}
		require.InDelta(t, map[bool]int{false: 800, true: 400}[bed], core, 50)
	}
}
