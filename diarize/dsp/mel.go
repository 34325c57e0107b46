package dsp

import "math"

// Mel converts a frequency in Hz to the mel scale: 2595·log10(1 + f/700). O'Shaughnessy, "Speech communication" (1987); the
// scale is that of Stevens, Volkmann & Newman, JASA 8 (1937).
func Mel(hz float64) float64 { return float64(2595 / math.Ln10 * Log(1+hz/700)) }

// Hertz is the inverse of Mel: 700·(10^(m/2595) − 1).
func Hertz(mel float64) float64 { return 700 * (Exp(mel/(2595/math.Ln10)) - 1) }

// MelFilters is a bank of triangular filters over the bins of a power spectrum.
type MelFilters struct {
	first   []int       // first bin of each filter
	weights [][]float64 // weights of the bins from there
}

// NewMelFilters returns count filters between low and high Hz for spectra of an n-point transform at the sample rate. Their
// centres are equally spaced in mel. Each filter rises from its left neighbour's centre to 1, and falls to its right
// neighbour's: Davis & Mermelstein, IEEE Trans. ASSP 28 (1980).
func NewMelFilters(count, n int, rate, low, high float64) *MelFilters {
	corners := make([]float64, count+2)
	for i := range corners {
		share := float64(i) / float64(count+1)
		corners[i] = Hertz(Mel(low) + float64(share*(Mel(high)-Mel(low))))
	}
	m := &MelFilters{first: make([]int, count), weights: make([][]float64, count)}
	for i := range count {
		left, centre, right := corners[i], corners[i+1], corners[i+2]
		m.first[i] = -1
		for bin := 0; bin <= n/2; bin++ {
			hz := float64(bin) * rate / float64(n)
			w := min((hz-left)/(centre-left), (right-hz)/(right-centre))
			if w <= 0 {
				continue
			}
			if m.first[i] < 0 {
				m.first[i] = bin
			}
			m.weights[i] = append(m.weights[i], w)
		}
		m.first[i] = max(m.first[i], 0)
	}
	return m
}

// Apply writes the energy of each filter, Σ weight·power, to energies.
func (m *MelFilters) Apply(energies, power []float64) {
	for i, weights := range m.weights {
		bins := power[m.first[i]:]
		sum := 0.0
		for j, w := range weights {
			sum += float64(w * bins[j])
		}
		energies[i] = sum
	}
}
