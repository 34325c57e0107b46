package diarize

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// twoVoices returns frames of two Gaussians whose means are gap apart, in turns of two windows, and the grouping of the windows by voice.
func twoVoices(gap float64) (*loudFrames, []int) {
	rng, b, labels := rand.New(rand.NewPCG(1, 2)), new(loudFrames), []int(nil)
	for i := range 16 {
		b.windows = append(b.windows, span{i * windowFrames, (i + 1) * windowFrames})
		b.within = append(b.within, b.windows[i])
		labels = append(labels, i/2%2)
		for range windowFrames {
			var x [coefficients]float64
			for k := range x {
				x[k] = rng.NormFloat64()
			}
			x[3] += gap * float64(labels[i])
			b.x, b.begins = append(b.x, x), append(b.begins, false)
		}
	}
	return b, labels
}

// Two voices must be apart, less so if two are expected, and no number is found for which no grouping was tried.
func TestBriefCount(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		gap      float64
		expected int
		want     int
	}{{2, 0, 1}, {2, 2, 1}, {3.5, 0, 1}, {3.5, 2, 2}, {5, 0, 2}} {
		b, labels := twoVoices(c.gap)
		all := b.moments(make([]int, len(b.x)), 1)[0]
		found := []candidate{{labels: make([]int, len(labels))}, {tried: [][]int{labels}}, {}}
		n, into, err := b.count(context.Background(), found, all, Config{MaxSpeakers: 16, MinSpeakers: 1, Expected: c.expected})
		require.NoError(t, err)
		require.Equal(t, c.want, n, "%v", c)
		if n == 2 {
			require.Equal(t, labels, into)
		}
	}
}

// A first grouping that is wrong in part is corrected by the frames.
func TestBriefRefine(t *testing.T) {
	t.Parallel()
	b, labels := twoVoices(6)
	wrong := append([]int(nil), labels...)
	wrong[4], wrong[7] = 1-wrong[4], 1-wrong[7]
	who, likely := b.refine(wrong, 2)
	require.Equal(t, labels, b.majority(who, 2))
	_, right := b.refine(labels, 2)
	require.InDelta(t, right, likely, 1e-6)
	require.Nil(t, b.majority(make([]int, len(who)), 2), "a speaker without windows")
	labels[0] = 2
	_, few := b.refine(labels, 4)
	require.Less(t, few, -1e300, "a speaker without frames")
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	_, _, err := b.group(canceled, [][]int{labels}, 2)
	require.ErrorIs(t, err, context.Canceled)
}

// A grouping of the windows that loses a speaker doesn't hide another one, if the windows by themselves have as many speakers.
func TestQuickTriesOtherGroupings(t *testing.T) {
	t.Parallel()
	b, labels := twoVoices(7)
	lost := make([]int, len(labels))
	for i := 0; i < len(lost); i += 2 {
		lost[i] = 1 // both voices alike
	}
	all := b.moments(make([]int, len(b.x)), 1)[0]
	all.scale(3)
	found := []candidate{{labels: make([]int, len(labels))}, {labels: lost, separation: 2, tried: [][]int{lost, labels}}}
	for k, want := range map[int]int{1: 0, 2: 2} {
		n, into, err := b.quick(context.Background(), found, all, 0, k, Config{MaxSpeakers: 16, MinSpeakers: 1})
		require.NoError(t, err)
		require.Equal(t, want, n)
		if want == 2 {
			require.Equal(t, labels, into)
		}
	}
}

// Quick turns of two voices that are apart count, less apart if two are expected; other turns don't.
func TestQuickCount(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		gap      float64
		long     bool
		expected int
		known    int
		want     int
	}{{gap: 5.25}, {gap: 5.25, expected: 2, want: 2}, {gap: 7, want: 2}, {gap: 7, long: true}, {gap: 5, known: 2, want: 2}} {
		b, labels := twoVoices(c.gap)
		if c.long {
			for i := range labels {
				labels[i] = i / 8
			}
		}
		all := b.moments(make([]int, len(b.x)), 1)[0]
		all.scale(3)
		found := []candidate{{labels: make([]int, len(labels))}, {labels: labels, separation: 2}, {}}
		config := Config{MaxSpeakers: 16, MinSpeakers: 1, Expected: c.expected}
		n, into, err := b.quick(context.Background(), found, all, c.known, max(c.known, 1), config)
		require.NoError(t, err)
		require.Equal(t, c.want, n, "%v", c)
		if n == 2 {
			require.Equal(t, labels, into)
		}
		canceled, cancel := context.WithCancel(context.Background())
		cancel()
		_, _, err = b.quick(canceled, found, all, c.known, 2, config)
		require.ErrorIs(t, err, context.Canceled)
	}
}
