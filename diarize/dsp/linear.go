package dsp

import "math"

// LogDet returns the natural logarithm of the determinant of a symmetric positive definite n×n matrix, row-major, of which
// it reads the lower triangle. It computes 2·Σ ln L[i][i] of the Cholesky factor L, which replaces the lower triangle.
// Pivots are at least floor, so that a degenerate matrix gives a small but finite value.
func LogDet(a []float64, n int, floor float64) float64 {
	sum := 0.0
	for i := range n {
		row := a[i*n : i*n+n]
		for j := range i {
			other := a[j*n : j*n+n]
			v := row[j]
			for k := range j {
				v -= float64(row[k] * other[k])
			}
			row[j] = v / other[j]
		}
		v := row[i]
		for k := range i {
			v -= float64(row[k] * row[k])
		}
		v = max(v, floor)
		sum += Log(v)
		row[i] = math.Sqrt(v)
	}
	return sum
}

// Tridiagonal returns the eigenvalues, in ascending order, and eigenvectors of the symmetric tridiagonal matrix with the
// given diagonal and off-diagonal, which is one shorter. vectors[i] belongs to values[i]. It uses the implicit QL algorithm:
// Bowdler, Martin, Reinsch & Wilkinson, Numerische Mathematik 11 (1968).
func Tridiagonal(diagonal, off []float64) (values []float64, vectors [][]float64) {
	n := len(diagonal)
	d := append([]float64(nil), diagonal...)
	e := append(append([]float64(nil), off...), 0)
	z := make([][]float64, n) // z[i] is the i-th eigenvector
	for i := range z {
		z[i] = make([]float64, n)
		z[i][i] = 1
	}
	for l := range n {
		for range 60 {
			m := l
			for ; m < n-1; m++ {
				if math.Abs(e[m]) <= 1e-16*(math.Abs(d[m])+math.Abs(d[m+1])) {
					break
				}
			}
			if m == l {
				break
			}
			g := (d[l+1] - d[l]) / (2 * e[l])
			r := math.Sqrt(float64(g*g) + 1)
			g = d[m] - d[l] + e[l]/(g+math.Copysign(r, g))
			s, c, p := 1.0, 1.0, 0.0
			i := m - 1
			for ; i >= l; i-- {
				f, b := float64(s*e[i]), float64(c*e[i])
				r = math.Sqrt(float64(f*f) + float64(g*g))
				e[i+1] = r
				if r == 0 {
					d[i+1] -= p
					e[m] = 0
					break
				}
				s, c = f/r, g/r
				g = d[i+1] - p
				r = float64((d[i]-g)*s) + float64(2*c*b)
				p = float64(s * r)
				d[i+1] = g + p
				g = float64(c*r) - b
				rotate(z[i], z[i+1], c, s)
			}
			if r == 0 && i >= l {
				continue
			}
			d[l] -= p
			e[l] = g
			e[m] = 0
		}
	}
	sortEigen(d, z)
	return d, z
}

// rotate replaces (a, b) by (c·a − s·b, s·a + c·b).
func rotate(a, b []float64, c, s float64) {
	for k, x := range a {
		y := b[k]
		b[k] = float64(s*x) + float64(c*y)
		a[k] = float64(c*x) - float64(s*y)
	}
}

// sortEigen sorts values in ascending order, with their vectors.
func sortEigen(values []float64, vectors [][]float64) {
	for i := 1; i < len(values); i++ {
		for j := i; j > 0 && values[j] < values[j-1]; j-- {
			values[j], values[j-1] = values[j-1], values[j]
			vectors[j], vectors[j-1] = vectors[j-1], vectors[j]
		}
	}
}
