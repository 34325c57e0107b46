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

// butterflies transforms work, which is in bit-reversed order. Each pass does two stages of the algorithm, sizes size and 2·size, which
// halves the loads and stores and changes no bit of the result.
func (f *FFT) butterflies() {
	z := f.work
	if len(z) < 4 {
		z[0], z[1] = z[0]+z[1], z[0]-z[1]
		return
	}
	for ; len(z) >= 4; z = z[4:] { // the factors of the first two stages are 1 and −i
		a, b, c, d := z[0]+z[1], z[0]-z[1], z[2]+z[3], z[2]-z[3]
		d = complex(imag(d), -real(d))
		z[0], z[1], z[2], z[3] = a+c, b+d, a-c, b-d
	}
	z = f.work
	size := 8
	for ; 2*size <= len(z); size *= 4 {
		for start := 0; start < len(z); start += 2 * size {
			f.twoStages(z[start:start+2*size], size)
		}
	}
	if size > len(z) {
		return
	}
	lo, hi := z[:size/2], z[size/2:size]
	for k := range lo {
		t := times(f.twiddles[k*(f.n/size)], hi[k])
		lo[k], hi[k] = lo[k]+t, lo[k]-t
	}
}

// twoStages combines the four transforms of length size/2 in z to one.
func (f *FFT) twoStages(z []complex128, size int) {
	half, step := size/2, f.n/size
	z0, z1, z2, z3 := z[:half], z[half:][:half], z[2*half:][:half], z[3*half:][:half]
	first := f.twiddles
	early, late := f.twiddles[:half*step/2], f.twiddles[half*step/2:]
	for k := range z0 {
		w := first[k*step]
		b, d := times(w, z1[k]), times(w, z3[k])
		a, c := z0[k], z2[k]
		a, b = a+b, a-b
		c, d = c+d, c-d
		c, d = times(early[k*step/2], c), times(late[k*step/2], d)
		z0[k], z1[k], z2[k], z3[k] = a+c, b+d, a-c, b-d
	}
}

// times returns w·b, with rounded products.
func times(w, b complex128) complex128 {
	return complex(float64(real(w)*real(b))-float64(imag(w)*imag(b)), float64(real(w)*imag(b))+float64(imag(w)*real(b)))
}
