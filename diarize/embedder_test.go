package diarize_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/diarize/der"
	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/stretchr/testify/require"
)

// embedder is an Embedder that calls a function with each window and its number.
type embedder struct {
	calls, batches int
	embed          func(call int, samples []int16) ([]float32, error)
}

func (e *embedder) Embed(_ context.Context, windows [][]int16) ([][]float32, error) {
	e.batches++
	var out [][]float32
	for _, w := range windows {
		v, err := e.embed(e.calls, w)
		if err != nil {
			return nil, err
		}
		e.calls++
		out = append(out, v)
	}
	return out, nil
}

// stamped writes the position of a sample, in units of 10 ms, to the last bits of each sample's value, and position reads it.
func stamped(samples []int16) []int16 {
	for i := range samples {
		if i%160 < 16 {
			samples[i] = samples[i]&^1 | int16(i/160>>(i%160)&1)
		}
	}
	return samples
}

func position(window []int16) (frame int) {
	for bit := range 16 {
		frame |= int(window[bit]&1) << bit
	}
	return frame
}

// model embeds windows as neural models do: neighbouring windows of one voice have a cosine of about 0.65, windows of its other turns
// 0.5, and those of two voices 0.1.
func model(ref []der.Segment) *embedder {
	const dim = 64
	rng := rand.New(rand.NewPCG(6, 6))
	voices, styles := map[string][]float64{}, map[int][]float64{}
	noise := func(scale float64) []float64 {
		v := make([]float64, dim)
		for k := range v {
			v[k] = scale * rng.NormFloat64()
		}
		return v
	}
	common := noise(0.3)
	return &embedder{embed: func(_ int, window []int16) ([]float32, error) {
		from := time.Duration(position(window)) * 10 * time.Millisecond
		to := from + time.Duration(len(window))*time.Second/rate
		v := noise(0.8)
		for i, s := range ref {
			if voices[s.Speaker] == nil {
				voices[s.Speaker] = noise(1)
			}
			if styles[i] == nil {
				styles[i] = noise(0.5)
			}
			share := max(0, min(to, s.End)-max(from, s.Start)).Seconds() / (to - from).Seconds()
			for k := range v {
				v[k] += share * (voices[s.Speaker][k] + styles[i][k] + common[k])
			}
		}
		out := make([]float32, dim)
		for k, x := range v {
			out[k] = float32(x)
		}
		return out, nil
	}}
}

// synthTurns returns the turns of synthSpeech, named as if turn i were of speaker who(i).
func synthTurns(samples []int16, who func(turn int) string) (ref []der.Segment) {
	silent, start := 0, 0
	for i, s := range append(samples, make([]int16, rate)...) {
		if s != 0 {
			silent = 0
			continue
		}
		if silent++; silent == rate*3/10 {
			if end := i - silent; end-start > rate {
				ref = append(ref, der.Segment{Speaker: who(len(ref)), Start: time.Duration(start) * time.Second / rate, End: time.Duration(end) * time.Second / rate})
			}
		}
		if silent >= rate*3/10 {
			start = i
		}
	}
	return ref
}

// The embedder decides how many people speak and who is who, also where the built-in models hear only one voice, and re-segmentation
// keeps that. One voice stays whole.
func TestEmbedderIsUsed(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it computes")
	samples := synthSpeech(12, []int{0}, 90)
	require.Equal(t, 1, run(t, samples, diarize.Config{}).Speakers())
	for speakers := 1; speakers <= 4; speakers++ {
		if slow.Raced && speakers != 2 {
			continue
		}
		ref := synthTurns(samples, func(turn int) string { return string(rune('a' + turn%speakers)) })
		e := model(ref)
		turns := run(t, stamped(slices.Clone(samples)), diarize.Config{Embedder: e})
		require.Equal(t, speakers, turns.Speakers())
		require.Less(t, der.DER(ref, der.FromTurns(turns), der.Options{}).DER(), 0.12, "%d speakers", speakers)
		require.Equal(t, (e.calls+diarize.MaxBatch-1)/diarize.MaxBatch, e.batches)
	}
}

// Windows are 1.5 s, in order, and overlap by half; only the last may be shorter. None is of silence.
func TestEmbedderGetsSpeech(t *testing.T) {
	t.Parallel()
	samples := slices.Concat(synthSpeech(4, []int{0, 3}, 10), make([]int16, 20*rate), synthSpeech(4, []int{0, 3}, 10))
	var frames []int
	e := &embedder{embed: func(_ int, window []int16) ([]float32, error) {
		frames = append(frames, position(window))
		require.True(t, len(window) == 24000 || frames[len(frames)-1] == 3900, "window %d has %d samples", len(frames), len(window))
		return []float32{1}, nil
	}}
	_, err := diarize.Run(context.Background(), bytes.NewReader(pcm(stamped(samples))), diarize.Config{Embedder: e})
	require.NoError(t, err)
	var want []int
	for i := 0; i+75 <= 4000; i += 75 {
		if i <= 975 || i >= 2925 {
			want = append(want, i)
		}
	}
	require.Subset(t, want, frames)
	require.Greater(t, len(frames), len(want)-6)
	require.IsIncreasing(t, frames)
	require.Equal(t, 3900, frames[len(frames)-1])
}

func TestEmbedderFails(t *testing.T) {
	t.Parallel()
	audio := pcm(synthSpeech(4, []int{0, 3}, 10))
	// An error of the embedder is returned.
	broken := errors.New("no such model")
	_, err := diarize.Run(context.Background(), bytes.NewReader(audio), diarize.Config{Embedder: &embedder{
		embed: func(int, []int16) ([]float32, error) { return nil, broken }}})
	require.ErrorIs(t, err, broken)
	// Vectors of different lengths, or of length 0, are an error.
	for _, length := range []func(int) int{func(call int) int { return 1 + call%2 }, func(int) int { return 0 }} {
		_, err = diarize.Run(context.Background(), bytes.NewReader(audio), diarize.Config{Embedder: &embedder{
			embed: func(call int, _ []int16) ([]float32, error) { return make([]float32, length(call)), nil }}})
		require.Equal(t, fault.CodeInternal, fault.CodeOf(err))
	}
	// So are vectors with a number that is not finite, and a missing vector.
	_, err = diarize.Run(context.Background(), bytes.NewReader(audio), diarize.Config{Embedder: &embedder{
		embed: func(int, []int16) ([]float32, error) { return []float32{float32(math.NaN())}, nil }}})
	require.Equal(t, fault.CodeInternal, fault.CodeOf(err))
	_, err = diarize.Run(context.Background(), bytes.NewReader(audio), diarize.Config{Embedder: forgetful{}})
	require.Equal(t, fault.CodeInternal, fault.CodeOf(err))
	// Zero vectors carry no information and do no harm.
	_, err = diarize.Run(context.Background(), bytes.NewReader(audio), diarize.Config{Embedder: &embedder{
		embed: func(int, []int16) ([]float32, error) { return make([]float32, 3), nil }}})
	require.NoError(t, err)
}

// forgetful is an Embedder that returns no vectors.
type forgetful struct{}

func (forgetful) Embed(context.Context, [][]int16) ([][]float32, error) { return nil, nil }
