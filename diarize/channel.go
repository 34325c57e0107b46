package diarize

import (
	"math"
	"sync"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
)

const (
	lowBands  = 20   // number of the low mel bands, below 3.1 kHz; every channel carries them
	highBands = 24   // index of the first high mel band, above 4.1 kHz; a telephone carries none
	wideBand  = 0.75 // least variation of the high bands in wideband speech, relative to that of the low ones
	noBand    = 0.5  // their variation where they have only noise
	emptyGap  = 5.0  // how far empty high bands are below the low ones, on average; 1 is 4.3 dB
	emptyBand = 0.55 // the most that the variation of empty bands counts for: noise in the low bands makes these vary less, too
	mixedBand = 0.95 // more variation is that of some voices with high bands, and others without
)

// channelScale returns the factor that makes separations in a narrow channel comparable with those in wideband speech, where it is 1.
// Without the high bands, voices differ in fewer sounds: on the telephone, separations are half as large, and so are those of parts of one
// voice. all has the statistics of everything that is said in the recording.
func channelScale(all *moment) float64 {
	if all.n == 0 || all.direction != nil { // an Embedder's vectors are no spectra
		return 1
	}
	levels, deviations := all.bands()
	low, high := mean(deviations[:lowBands]), mean(deviations[highBands:])
	if mean(levels[:lowBands])-mean(levels[highBands:]) > emptyGap && high < mixedBand*low {
		high = min(high, emptyBand*low)
	}
	if high >= wideBand*low {
		return 1
	}
	ratio := max(high/low, noBand) / wideBand
	return 1 / (ratio * math.Sqrt(ratio))
}

// bandBasis has what each coefficient adds to the bands.
var bandBasis = sync.OnceValue(func() *[coefficients][melFilters]float64 {
	dct, basis := dsp.NewDCT(melFilters, coefficients), new([coefficients][melFilters]float64)
	for k := range basis {
		var one [coefficients]float64
		one[k] = 1
		dct.Inverse(basis[k][:], one[:])
	}
	return basis
})

// bands returns the mean and the standard deviation of the logarithmic energy in each mel band.
func (m *moment) bands() (levels, deviations [melFilters]float64) {
	basis, covariance := bandBasis(), m.covariance()
	for i := range levels {
		variance := 0.0
		for r := range coefficients {
			levels[i] += float64(m.sum[r] / m.n * basis[r][i])
			variance += float64(covariance[r*coefficients+r] * (basis[r][i] * basis[r][i]))
			for c := range r {
				variance += float64(2 * covariance[r*coefficients+c] * (basis[r][i] * basis[c][i]))
			}
		}
		deviations[i] = math.Sqrt(max(variance, 0))
	}
	return levels, deviations
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
