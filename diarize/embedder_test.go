package diarize_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/diarize/der"
	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/stretchr/testify/require"
)

// embedder is an Embedder that calls a function with the window's number.
type embedder struct {
	calls int
	embed func(call int, samples []int16) ([]float32, error)
}

func (e *embedder) Embed(_ context.Context, samples []int16) ([]float32, error) {
	e.calls++
	return e.embed(e.calls-1, samples)
}

// The embedder decides who is who: if it can't distinguish two people, they become one speaker; if it distinguishes three,
// they become three.
func TestEmbedderIsUsed(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it computes minutes of speech")
	long(t)
	samples, ref := script{seed: 50, voices: cast[:3], length: 60 * time.Second}.play(t)
	require.Equal(t, 3, run(t, samples, diarize.Config{}).Speakers())
	// oracle knows the voice in the middle of a window, but confuses the last voice with the one before.
	oracle := func(voices int) *embedder {
		return &embedder{embed: func(call int, _ []int16) ([]float32, error) {
			middle := time.Duration(call)*750*time.Millisecond + 750*time.Millisecond
			v := []float32{0.1, 0.1, 0.1}
			for _, s := range ref {
				if s.Start <= middle && middle < s.End {
					v[min(int(s.Speaker[len(s.Speaker)-1]-'0'), voices-1)] = 1
				}
			}
			return v, nil
		}}
	}
	e := oracle(2)
	require.Equal(t, 2, run(t, samples, diarize.Config{Embedder: e}).Speakers())
	require.InDelta(t, float64(len(samples))/rate/0.75, e.calls, 2, "a window every 0.75 s")
	turns := run(t, samples, diarize.Config{Embedder: oracle(3)})
	require.Equal(t, 3, turns.Speakers())
	require.Less(t, der.DER(ref, der.FromTurns(turns), der.Options{}).DER(), 0.08)
	require.Equal(t, 1, run(t, samples, diarize.Config{Embedder: oracle(1)}).Speakers())
}

// Windows are 1.5 s, in order, and overlap by half; only the last may be shorter.
func TestEmbedderGetsEveryWindow(t *testing.T) {
	t.Parallel()
	samples := synthSpeech(4, []int{0, 3}, 10)
	for i := range samples {
		samples[i] = int16(i) // the value tells the sample's position
	}
	e := &embedder{embed: func(call int, window []int16) ([]float32, error) {
		require.Equal(t, int16(call*12000), window[0])
		require.True(t, len(window) == 24000 || call == 12, "window %d has %d samples", call, len(window))
		return []float32{1}, nil
	}}
	_, err := diarize.Run(context.Background(), bytes.NewReader(pcm(samples)), diarize.Config{Embedder: e})
	require.NoError(t, err)
	require.Equal(t, 13, e.calls)
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
	// Zero vectors carry no information and do no harm.
	_, err = diarize.Run(context.Background(), bytes.NewReader(audio), diarize.Config{Embedder: &embedder{
		embed: func(int, []int16) ([]float32, error) { return make([]float32, 3), nil }}})
	require.NoError(t, err)
}
