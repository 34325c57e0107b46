//go:build onnxruntime && cgo

package onnx_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/diarize/onnx"
	"github.com/soundstage-dev/soundstage/engine/fault"
)

// library returns the path of ONNX Runtime, which SOUNDSTAGE_ONNXRUNTIME names.
func library(t *testing.T) string {
	t.Helper()
	path := os.Getenv("SOUNDSTAGE_ONNXRUNTIME")
	if path == "" {
		t.Skip("SOUNDSTAGE_ONNXRUNTIME doesn't name the shared library of ONNX Runtime")
	}
	return path
}

// tone returns seconds of a tone with a beat.
func tone(hertz float64, samples int) []int16 {
	out := make([]int16, samples)
	for i := range out {
		t := float64(i) / 16000
		out[i] = int16(9000 * math.Sin(2*math.Pi*hertz*t) * math.Abs(math.Sin(2*math.Pi*3*t)))
	}
	return out
}

func TestRuntime(t *testing.T) {
	lib := library(t)
	// A library that can't be loaded is unavailable.
	_, err := onnx.Open(write(t, "tiny.onnx", tiny(0, 80)), onnx.Options{Library: "/nowhere/libonnxruntime.so"})
	require.Equal(t, fault.CodeUnavailable, fault.CodeOf(err))
	// A model gives one vector for each window, also for a last one that is shorter, and the same ones in any batch.
	windows := [][]int16{tone(300, 24000), tone(1200, 24000), tone(300, 14000)}
	var want [][]float32
	for _, most := range []int{0, 1} {
		m, err := onnx.Open(write(t, "tiny.onnx", tiny(most, 80)), onnx.Options{Library: lib})
		require.NoError(t, err)
		got, err := m.Embed(context.Background(), windows)
		require.NoError(t, err)
		require.Len(t, got, 3)
		for i, v := range got {
			require.Len(t, v, 80)
			if want != nil {
				require.InDeltaSlice(t, want[i], v, 1e-6)
			}
		}
		want = got
		require.NotEqual(t, got[0], got[1])
		_, known := m.Known()
		require.False(t, known)
		require.Len(t, m.SHA256(), 64)
		require.NoError(t, m.Close())
	}
	// What is no model, or has another input, is refused.
	for _, data := range [][]byte{nil, []byte("no model"), tiny(0, 40), tiny(0, 80)[:100]} {
		_, err = onnx.Open(write(t, "tiny.onnx", data), onnx.Options{Library: lib})
		require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
	}
}

// talk returns 3 s of syllables of a voice: pulses through a resonator whose frequency depends on the vowel and the voice.
func talk(rng *rand.Rand, voice int) []int16 {
	var out []int16
	for len(out) < 3*16000 {
		turn := 2 * math.Pi * (500 + 700*float64(voice) + 90*float64(rng.IntN(4))) / 16000
		var y, before float64
		for t := range 2400 {
			x := rng.NormFloat64()
			if t%(130-40*voice) == 0 {
				x += 60
			}
			y, before = x+1.9*math.Cos(turn)*y-0.91*before, y
			out = append(out, int16(max(-30000, min(30000, 60*y))))
		}
		out = append(out, make([]int16, 1300)...)
	}
	return append(out, make([]int16, 8000)...)
}

// The diarizer runs on a model.
func TestRuntimeDiarizes(t *testing.T) {
	m, err := onnx.Open(write(t, "tiny.onnx", tiny(0, 80)), onnx.Options{Library: library(t)})
	require.NoError(t, err)
	defer func() { require.NoError(t, m.Close()) }()
	var audio bytes.Buffer
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range 10 {
		require.NoError(t, binary.Write(&audio, binary.LittleEndian, talk(rng, i%2)))
	}
	turns, err := diarize.Run(context.Background(), &audio, diarize.Config{Embedder: m, Speakers: 2})
	require.NoError(t, err)
	require.Equal(t, 2, turns.Speakers())
	for _, turn := range turns {
		require.Equal(t, int((turn.Start+turn.End)/2/3500e6)%2, turn.Speaker, "%v to %v", turn.Start, turn.End)
	}
}
