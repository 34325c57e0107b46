package dsp

import "math"

// DCT is a discrete cosine transform that keeps only the first coefficients.
type DCT struct{ rows [][]float64 }

// NewDCT returns the orthonormal DCT-II of n values, limited to the first keep coefficients: c[k] = s·Σ
// x[i]·cos(πk(2i+1)/2n), s = √(1/n) for k = 0, otherwise √(2/n). Ahmed, Natarajan & Rao, IEEE Trans. Computers 23 (1974).
func NewDCT(n, keep int) *DCT {
	d := &DCT{rows: make([][]float64, keep)}
	for k := range d.rows {
		scale := math.Sqrt(2 / float64(n))
		if k == 0 {
			scale = math.Sqrt(1 / float64(n))
		}
		d.rows[k] = make([]float64, n)
		for i := range d.rows[k] {
			d.rows[k][i] = scale * CosTurn(k*(2*i+1), 4*n)
		}
	}
	return d
}

// Apply writes the coefficients of x to c.
func (d *DCT) Apply(c, x []float64) {
	for k, row := range d.rows {
		c[k] = Dot(row, x)
	}
}

// Inverse writes the values of the coefficients c to x: Apply's input, smoothed by what it doesn't keep.
func (d *DCT) Inverse(x, c []float64) {
	clear(x)
	for k, row := range d.rows {
		for i, v := range row {
			x[i] += float64(c[k] * v)
		}
	}
}

// Dot returns Σ a[i]·b[i], over the length of a. It keeps four sums, so that additions don't wait for each other.
func Dot(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+3 < len(a); i += 4 {
		s0 += float64(a[i] * b[i])
		s1 += float64(a[i+1] * b[i+1])
		s2 += float64(a[i+2] * b[i+2])
		s3 += float64(a[i+3] * b[i+3])
	}
	for ; i < len(a); i++ {
		s0 += float64(a[i] * b[i])
	}
	return (s0 + s1) + (s2 + s3)
}
