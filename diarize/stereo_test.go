package diarize_test

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/diarize/der"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/stretchr/testify/require"
)

// line is how a call between two parties is recorded, one in each channel.
type line struct {
	leak  float64 // dB; what each channel has of the other's voices, below them
	noise float64 // dB; of each channel, below the first's voices
	gain  float64 // dB; of the second channel
}

// record returns interleaved samples of two channels.
func (l line) record(first, second []float64, rng *rand.Rand) []int16 {
	leak, gain := math.Pow(10, -l.leak/20), math.Pow(10, l.gain/20)
	a, b := make([]float64, len(first)), make([]float64, len(first))
	for i := range first {
		a[i], b[i] = first[i]+leak*second[i], gain*(second[i]+leak*first[i])
	}
	level := rms(first) * math.Pow(10, -l.noise/20)
	addScaled(a, pink(len(a), rng), level)
	addScaled(b, pink(len(b), rng), level)
	out := make([]int16, 2*len(a))
	for i := range a {
		out[2*i], out[2*i+1] = int16(min(max(a[i], -1), 1)*32767), int16(min(max(b[i], -1), 1)*32767)
	}
	return out
}

func runStereo(tb testing.TB, samples []int16, c diarize.Config) diarize.Turns {
	tb.Helper()
	c.Stereo = true
	turns, err := diarize.Run(context.Background(), bytes.NewReader(pcm(samples)), c)
	require.NoError(tb, err)
	return turns
}

// mean returns the mean of two channels.
func mean(samples []int16) []int16 {
	out := make([]int16, len(samples)/2)
	for i := range out {
		out[i] = int16((int(samples[2*i]) + int(samples[2*i+1])) / 2)
	}
	return out
}

// parties returns a conversation as two channels: the voices of first in the first one, all others in the second.
func parties(samples []int16, ref []der.Segment, first string) (a, b []float64) {
	a, b = make([]float64, len(samples)), make([]float64, len(samples))
	for _, r := range ref {
		to := b
		if r.Speaker == first {
			to = a
		}
		for i := int(r.Start.Seconds() * rate); i < min(int(r.End.Seconds()*rate), len(samples)); i++ {
			to[i] = float64(samples[i]) / 32768
		}
	}
	return a, b
}

// Voices that can't be distinguished are, if each has a channel. Known numbers hold.
func TestStereo(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it computes")
	long(t)
	samples, ref := chat(t, 4, cast[:2], 12)
	require.Equal(t, 1, run(t, samples, diarize.Config{}).Speakers())
	first, second := parties(samples, ref, "voice0")
	for _, l := range []line{{leak: 60, noise: 60}, {leak: 15, noise: 40}, {leak: 30, noise: 40, gain: -12}} {
		turns := runStereo(t, l.record(first, second, rand.New(rand.NewPCG(1, 1))), diarize.Config{})
		require.Equal(t, 2, turns.Speakers(), "%+v", l)
		require.Less(t, der.DER(ref, der.FromTurns(turns), der.Options{}).DER(), 0.08, "%+v", l)
	}
	call := line{leak: 30, noise: 40}.record(first, second, rand.New(rand.NewPCG(1, 1)))
	require.Equal(t, 1, runStereo(t, call, diarize.Config{Speakers: 1}).Speakers())
	require.Equal(t, 1, runStereo(t, call, diarize.Config{MaxSpeakers: 1}).Speakers())
	require.Equal(t, 2, runStereo(t, call, diarize.Config{Speakers: 2}).Speakers())
	require.Equal(t, 3, runStereo(t, call, diarize.Config{Speakers: 3}).Speakers())

	// A model of voices that knows no difference doesn't join them, either.
	alike := &embedder{embed: func(int, []int16) ([]float32, error) { return []float32{1, 0}, nil }}
	require.Equal(t, 2, runStereo(t, call, diarize.Config{Embedder: alike}).Speakers())
}

// A channel may have several voices.
func TestStereoWithSeveralInAChannel(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it computes")
	long(t)
	samples, ref := chat(t, 3, cast[:3], 18)
	first, second := parties(samples, ref, "voice1")
	turns := runStereo(t, line{leak: 30, noise: 40}.record(first, second, rand.New(rand.NewPCG(1, 1))), diarize.Config{})
	require.Equal(t, 3, turns.Speakers())
	require.Less(t, der.DER(ref, der.FromTurns(turns), der.Options{}).DER(), 0.08)
}

// Where the speakers aren't apart, the mean of the channels is heard: with voices a little aside, in one channel alone, and with one
// voice that is louder in a channel.
func TestStereoOfOtherRecordings(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it computes")
	long(t)
	samples, ref := chat(t, 3, cast[:3], 12)
	first, second := parties(samples, ref, "voice0")
	all, none := make([]float64, len(samples)), make([]float64, len(samples))
	for i := range all {
		all[i] = first[i] + second[i]
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for name, stereo := range map[string][]int16{
		"a little aside":         line{leak: 4, noise: 50}.record(first, second, rng),
		"one channel alone":      line{leak: 90, noise: 50}.record(all, none, rng),
		"louder in one channel":  line{leak: 10, noise: 50}.record(all, none, rng),
		"the same in both":       line{leak: 0, noise: 90}.record(first, second, rng),
		"one channel is inverse": line{leak: 90, noise: 90, gain: -3}.record(all, scaled(append([]float64{}, all...), -0.5), rng),
	} {
		require.Equal(t, run(t, mean(stereo), diarize.Config{}), runStereo(t, stereo, diarize.Config{}), name)
	}
	require.Empty(t, runStereo(t, nil, diarize.Config{}))
	require.Empty(t, runStereo(t, []int16{1}, diarize.Config{}))
	require.Empty(t, runStereo(t, make([]int16, 20*rate), diarize.Config{}))
}

// BenchmarkStereo scores calls with a party in each channel, as stereo and as the mean of the channels.
func BenchmarkStereo(b *testing.B) {
	n, said := drawn(b), onceSaid(b)
	if len(said) < 10 {
		b.Skip("SOUNDSTAGE_CORPUS names no folder with labelled speech of ten voices")
	}
	for _, c := range []struct {
		name string
		meeting
		line
	}{
		{"15s", meeting{fewest: 2, most: 2, length: 15, overlap: 0.15}, line{30, 40, 0}},
		{"30s", meeting{fewest: 2, most: 2, length: 30, overlap: 0.15}, line{30, 40, 0}},
		{"60s", meeting{fewest: 2, most: 2, length: 60, overlap: 0.15}, line{30, 40, 0}},
		{"60s_leak", meeting{fewest: 2, most: 2, length: 60, overlap: 0.15}, line{15, 40, 0}},
		{"60s_noise", meeting{fewest: 2, most: 2, length: 60, overlap: 0.15}, line{30, 18, 0}},
		{"60s_uneven", meeting{fewest: 2, most: 2, length: 60, overlap: 0.15}, line{40, 40, -12}},
		{"120s_3", meeting{fewest: 3, most: 3, length: 120, overlap: 0.1}, line{30, 40, 0}},
		{"120s_4", meeting{fewest: 4, most: 4, length: 120, overlap: 0.1}, line{30, 40, 0}},
	} {
		for _, stereo := range []bool{true, false} {
			name := c.name + "/mean"
			if stereo {
				name = c.name + "/stereo"
			}
			b.Run(name, func(b *testing.B) {
				for b.Loop() {
					var score der.Score
					var words der.WordScore
					right := 0
					for seed := range n {
						rng := rand.New(rand.NewPCG(uint64(seed), 77))
						tracks, ref := c.tracks(said, uint64(seed), rng)
						second := make([]float64, len(tracks[0]))
						for _, x := range tracks[1:] {
							for i, v := range x {
								second[i] += v
							}
						}
						samples := c.record(call(tracks[0]), call(second), rng)
						var turns diarize.Turns
						if stereo {
							turns = runStereo(b, samples, diarize.Config{})
						} else {
							turns = run(b, mean(samples), diarize.Config{})
						}
						score = score.Add(der.DER(ref, der.FromTurns(turns), der.Options{}))
						words = words.Add(wordScore(ref, turns))
						if turns.Speakers() == len(tracks) {
							right++
						}
					}
					b.ReportMetric(100*score.DER(), "DER%")
					b.ReportMetric(100*words.WDER(), "WDER%")
					b.ReportMetric(float64(right), "counts-right")
				}
			})
		}
	}
}
