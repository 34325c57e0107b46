package dsp

// Hamming returns the Hamming window w[i] = 0.54 − 0.46·cos(2πi/(n−1)): Blackman & Tukey, "The measurement of power
// spectra", Bell System Technical Journal 37 (1958).
func Hamming(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 0.54 - float64(0.46*CosTurn(i, max(n-1, 1)))
	}
	return w
}
