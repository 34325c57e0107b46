package dsp

import "fmt"

// FFT computes power spectra of real signals of one length. It is not safe for concurrent use.
type FFT struct {
	n        int          // length of the real signal
	work     []complex128 // n/2
	twiddles []complex128 // e^(−2πik/n) for k < n/2
	reverse  []int        // bit reversal of n/2
}

// NewFFT returns an FFT of n real samples. It panics unless n is a power of two, at least 4.
func NewFFT(n int) *FFT {
	if n < 4 || n&(n-1) != 0 {
		panic(fmt.Sprintf("dsp: FFT length must be a power of two, at least 4 (got %d)", n))
	}
	half := n / 2
	f := &FFT{n: n, work: make([]complex128, half), twiddles: make([]complex128, half), reverse: make([]int, half)}
	for k := range f.twiddles {
		f.twiddles[k] = complex(CosTurn(k, n), -SinTurn(k, n))
	}
	for i, j := 0, 0; i < half; i++ {
		f.reverse[i] = j
		bit := half >> 1
		for ; bit > 0 && j&bit != 0; bit >>= 1 {
			j ^= bit
		}
		j |= bit
	}
	return f
}

// Power writes |X[k]|², k = 0 … n/2, of the discrete Fourier transform X[k] = Σ x[t]·e^(−2πikt/n) to power, which must have
// n/2+1 elements. x has at most n elements and is padded with zeros. The real signal is transformed as a complex one of half
// the length (even samples real, odd ones imaginary) by the radix-2 algorithm: Cooley & Tukey, Mathematics of Computation 19
// (1965); for real signals: Sorensen et al., IEEE Trans. ASSP 35 (1987).
func (f *FFT) Power(power, x []float64) {
	half := f.n / 2
	for i, r := range f.reverse {
		var re, im float64
		if 2*r < len(x) {
			re = x[2*r]
		}
		if 2*r+1 < len(x) {
			im = x[2*r+1]
		}
		f.work[i] = complex(re, im)
	}
	f.butterflies()
	z, tw := f.work, f.twiddles
	re, im := real(z[0]), imag(z[0])
	power[0] = float64((re + im) * (re + im))
	power[half] = float64((re - im) * (re - im))
	for k := 1; k <= half/2; k++ {
		a, b := z[k], z[half-k]
		// With E and O the transforms of the even and the odd samples: X[k] = E + w·O, X[n/2−k] = conj(E − w·O).
		er, ei := (real(a)+real(b))/2, (imag(a)-imag(b))/2
		or, oi := (imag(a)+imag(b))/2, (real(b)-real(a))/2
		wr, wi := real(tw[k]), imag(tw[k])
		tr := float64(wr*or) - float64(wi*oi)
		ti := float64(wr*oi) + float64(wi*or)
		power[k] = float64((er+tr)*(er+tr)) + float64((ei+ti)*(ei+ti))
		power[half-k] = float64((er-tr)*(er-tr)) + float64((ei-ti)*(ei-ti))
	}
}

// butterflies transforms work, which is in bit-reversed order.
func (f *FFT) butterflies() {
	z, half := f.work, f.n/2
	for i := 0; i+1 < half; i += 2 { // the first stage needs no multiplication
		z[i], z[i+1] = z[i]+z[i+1], z[i]-z[i+1]
	}
	for size := 4; size <= half; size *= 2 {
		step := f.n / size
		for start := 0; start < half; start += size {
			lo, hi := z[start:start+size/2], z[start+size/2:start+size]
			for k := range lo {
				w, b := f.twiddles[k*step], hi[k]
				tr := float64(real(w)*real(b)) - float64(imag(w)*imag(b))
				ti := float64(real(w)*imag(b)) + float64(imag(w)*real(b))
				a := lo[k]
				lo[k] = complex(real(a)+tr, imag(a)+ti)
				hi[k] = complex(real(a)-tr, imag(a)-ti)
			}
		}
	}
}
