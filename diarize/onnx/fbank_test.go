package onnx

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFbank(t *testing.T) {
	t.Parallel()
	// 1.5 s have 148 whole frames.
	require.Equal(t, 148, framesOf(24000))
	require.Equal(t, []int{0, 1, 1, 2}, []int{framesOf(399), framesOf(400), framesOf(559), framesOf(560)})
	// Half a second at 515 Hz, then at 3 kHz: each is loudest in the band whose centre is nearest on the mel scale.
	samples := make([]int16, 16000)
	for i := range samples {
		hertz := 515.0
		if i >= 8000 {
			hertz = 3000
		}
		samples[i] = int16(8000 * math.Sin(2*math.Pi*hertz*float64(i)/16000))
	}
	b := newFbank()
	features := b.add(nil, samples)
	require.Len(t, features, 98*melBands)
	loudest := func(frame int) (k int) {
		row := features[frame*melBands:][:melBands]
		for i, v := range row {
			if v > row[k] {
				k = i
			}
		}
		return k
	}
	mel := func(hertz float64) float64 { return 1127 * math.Log(1+hertz/700) }
	band := func(hertz float64) int { return int(math.Round((mel(hertz)-mel(20))/((mel(8000)-mel(20))/81))) - 1 }
	require.Equal(t, band(515), loudest(20))
	require.Equal(t, band(3000), loudest(70))
	// The mean of each band is 0, so that neither the loudness nor an offset matters.
	for k := range melBands {
		sum := 0.0
		for f := range 98 {
			sum += float64(features[f*melBands+k])
		}
		require.InDelta(t, 0, sum, 1e-3)
	}
	for i := range samples {
		samples[i] = 2*samples[i] + 500
	}
	for i, v := range b.add(nil, samples) {
		require.InDelta(t, features[i], v, 2e-3, "number %d", i)
	}
}
