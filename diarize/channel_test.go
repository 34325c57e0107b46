package diarize

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
	"github.com/stretchr/testify/require"
)

// momentOfBands returns n frames whose bands vary independently around a mean: the high ones by high, the others by 3.
func momentOfBands(rng *rand.Rand, n int, mean, high float64) moment {
	dct := dsp.NewDCT(melFilters, coefficients)
	m := moment{windows: 1}
	var bands [melFilters]float64
	var x [coefficients]float64
	for range n {
		for i := range bands {
			deviation := 3.0
			if i >= lowBands {
				deviation = high
			}
			bands[i] = mean*math.Sin(float64(i)) + deviation*rng.NormFloat64()
		}
		dct.Apply(x[:], bands[:])
		m.frame(&x)
	}
	return m
}

// Separations grow where the high bands hardly vary, up to a limit. They stay as they are in wideband speech, and with an Embedder.
func TestChannelScale(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 7))
	scale := func(high float64) float64 {
		m := momentOfBands(rng, 2000, 0, high)
		return channelScale(&m)
	}
	most := math.Pow(wideBand/noBand, 1.5)
	require.InDelta(t, 1, scale(3), 0)
	require.InDelta(t, 1, scale(6), 0)
	require.InDelta(t, 1.25, scale(1.8), 0.1)
	require.InDelta(t, most, scale(1), 1e-9)
	require.InDelta(t, most, scale(0), 1e-9)
	require.InDelta(t, 1, channelScale(new(moment)), 0)
	require.InDelta(t, 1, channelScale(&moment{n: 100}), 0, "identical frames")
	embedded := momentOfBands(rng, 2000, 0, 0)
	embedded.direction = []float64{1}
	require.InDelta(t, 1, channelScale(&embedded), 0)
}

// High bands that are far below the low ones are empty, also where noise makes the low ones vary less. Where some voices have high bands,
// these vary too much to be empty.
func TestChannelScaleInNoise(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(9, 9))
	var level [coefficients]float64 // the high bands at 1, the others at 0
	var bands [melFilters]float64
	for i := range bands[highBands:] {
		bands[highBands+i] = 1
	}
	dsp.NewDCT(melFilters, coefficients).Apply(level[:], bands[:])
	scale := func(high, gap float64) float64 {
		m := momentOfBands(rng, 2000, 0, high)
		lower := moment{windows: 1}
		for k, v := range level {
			lower.sum[k] = m.sum[k] - m.n*gap*v
		}
		at := 0
		for r := range coefficients {
			for c := range r + 1 {
				lower.square[at] = m.square[at] + (lower.sum[r]*lower.sum[c]-m.sum[r]*m.sum[c])/m.n
				at++
			}
		}
		lower.n = m.n
		return channelScale(&lower)
	}
	require.InDelta(t, 1, scale(2.3, 0), 0)
	require.InDelta(t, 1, scale(2.3, 2), 0)
	require.InDelta(t, math.Pow(wideBand/emptyBand, 1.5), scale(2.3, 6), 1e-9)
	require.InDelta(t, math.Pow(wideBand/noBand, 1.5), scale(1, 6), 1e-9)
	require.InDelta(t, math.Pow(wideBand/emptyBand, 1.5), scale(2.7, 6), 1e-9, "in much noise")
	require.InDelta(t, 1, scale(3.2, 6), 0)
}

// The mean of each band is that of the frames, and so is its deviation, smoothed by the coefficients that are left out.
func TestBands(t *testing.T) {
	t.Parallel()
	m := momentOfBands(rand.New(rand.NewPCG(8, 8)), 5000, 0, 1)
	levels, deviations := m.bands()
	kept := math.Sqrt(float64(coefficients) / melFilters)
	require.InDelta(t, 3*kept, mean(deviations[:lowBands]), 0.1)
	require.InDelta(t, kept, mean(deviations[highBands:]), 0.2)
	require.InDelta(t, 0, mean(levels[highBands:]), 0.1)
	var raised [melFilters]float64
	for i := range raised {
		raised[i] = 4
	}
	var x [coefficients]float64
	dsp.NewDCT(melFilters, coefficients).Apply(x[:], raised[:])
	for k := range x {
		m.sum[k] += m.n * x[k]
	}
	levels, _ = m.bands()
	require.InDelta(t, 4, mean(levels[:lowBands]), 0.1)
	require.InDelta(t, 4, mean(levels[highBands:]), 0.1)
}

// Parts of one voice are more apart in a narrow channel, so that two voices must be, too.
func TestCountInNarrowChannels(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(6, 6))
	found := func(high float64, separations ...float64) int {
		all := momentOfBands(rng, 2000, 0, high)
		all.scale(10)
		config, err := Config{}.withDefaults()
		require.NoError(t, err)
		candidates := []candidate{{labels: []int{}, separation: soloSeparation}}
		for _, s := range separations {
			candidates = append(candidates, candidate{labels: []int{}, separation: s})
		}
		return count(candidates, &all, config)
	}
	require.Equal(t, 1, found(1, 2.7, 1))
	require.Equal(t, 2, found(1, 2.9, 1))
	require.Equal(t, 2, found(3, 2.7, 1))
	require.Equal(t, 2, found(1, 4, 2.4, 1), "the third group is a part of a voice")
	require.Equal(t, 3, found(1, 4, 2.6, 1))
	require.Equal(t, 3, found(3, 4, 2.4, 1))
}

// On the telephone, groupings count as if their separations were those of wideband speech, in a block and across blocks.
func TestSeparationsOnTheTelephone(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(9, 9))
	var vectors [][]float64
	var moments []moment
	for i := range 40 {
		v := []float64{0.1, 0.1}
		v[i%2] = 1
		unit(v)
		vectors, moments = append(vectors, v), append(moments, momentOfBands(rng, 100, float64(i%2), 0.5))
	}
	all := sumMoments(make([]int, len(moments)), moments, 1)[0]
	found, err := candidates(context.Background(), vectors, moments, 2, false, 0)
	require.NoError(t, err)
	raw := bestGrouping([][]int{found[1].labels}, moments, 2, minGroupFrames, false).separation
	scale := channelScale(all)
	require.InDelta(t, math.Pow(wideBand/noBand, 1.5), scale, 1e-9)
	const each = 2000 // frames
	require.InDelta(t, scale*(raw+price(each, each))-price(each, each), found[1].separation, 1e-9, "parameters cost the same in all channels")
	groups := sumMoments(found[1].labels, moments, 2)
	for _, g := range groups {
		g.close()
	}
	joined, err := join(context.Background(), groups, 1, 2, scale)
	require.NoError(t, err)
	require.InDelta(t, scale*raw, joined[1].separation, 1e-9)
}
