package diarize_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// Voices that speak over music in a part of a recording are as many as without it.
func TestMusicBelowAPart(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it computes")
	long(t)
	for _, voices := range [][]voice{cast[:1], cast[3:4]} {
		var whole recording
		for seed, music := range []float64{0, 10, 0} {
			whole.add(script{seed: uint64(seed), voices: voices, length: 45 * time.Second, noise: 25, music: music}.play(t))
		}
		turns := run(t, samplesOf(whole.audio), diarize.Config{})
		require.Equal(t, len(voices), turns.Speakers())
		require.Less(t, 100*wordScore(whole.ref, turns).WDER(), 2.0)
	}
}

// A voice that speaks in noise in some of its turns is one, next to another voice, whether or not their number is known.
func TestNoiseInSomeTurns(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it computes")
	long(t)
	for known, pair := range map[int][2]voice{0: {cast[5], cast[3]}, 2: {cast[4], cast[1]}} {
		var whole recording
		for turn := range 12 {
			s := script{seed: uint64(2300 + turn), voices: pair[:1], length: 9 * time.Second}
			switch turn % 4 {
			case 1:
				s.voices = pair[1:]
			case 2:
				s.noise = 12
			}
			samples, ref := s.play(t)
			for i := range ref {
				ref[i].Speaker = s.voices[0].name
			}
			whole.add(samples, ref)
		}
		turns := run(t, samplesOf(whole.audio), diarize.Config{Speakers: known})
		require.Equal(t, 2, turns.Speakers(), "known: %d", known)
		require.Less(t, 100*wordScore(whole.ref, turns).WDER(), 2.0, "known: %d", known)
	}
}

// Two voices on the telephone, one of them in noise, are two, also next to one in a studio. One voice in both is one.
func TestTelephonesInNoise(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it computes")
	long(t)
	for voices, cast := range map[int][]voice{3: {cast[0], cast[2], cast[4]}, 2: {cast[0], cast[4], cast[4]}} {
		whole, _ := script{seed: 1, voices: cast[:1], length: 30 * time.Second}.play(t)
		for i, noise := range []float64{0, 20} {
			part, _ := script{seed: uint64(2 + i), voices: cast[1+i : 2+i], length: 30 * time.Second, noise: noise}.play(t)
			whole = append(whole, quantise(call(floats(pcm(part))))...)
		}
		require.Equal(t, voices, run(t, whole, diarize.Config{}).Speakers())
	}
}

// Voices in the same noise on the telephone are as many as without it.
func TestNoisyLine(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it computes")
	long(t)
	for _, voices := range []int{1, 3} {
		said, _ := script{seed: 5, voices: cast[:voices], length: 2 * time.Minute, noise: 15}.play(t)
		require.Equal(t, voices, run(t, quantise(call(floats(pcm(said)))), diarize.Config{}).Speakers())
	}
}

// A sound that is no voice isn't one of an exact number of speakers, if all voices speak longer.
func TestExactNumberWithoutTones(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it computes")
	long(t)
	samples, ref := script{seed: 3, voices: cast[:2], length: 2 * time.Minute, noise: 25}.play(t)
	whole := recording{audio: pcm(samples), ref: ref}
	for i := range 15 * rate {
		on := int16(1 - i/(rate/4)%2)
		whole.audio = append(whole.audio, pcm([]int16{on * int16(4000*math.Sin(2*math.Pi*440*float64(i)/rate)+float64(i*7919%64))})...)
	}
	turns := run(t, samplesOf(whole.audio), diarize.Config{Speakers: 2})
	require.Equal(t, 2, turns.Speakers())
	require.Less(t, 100*wordScore(whole.ref, turns).WDER(), 2.0)
}
