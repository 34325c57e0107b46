package dsp

import (
	"context"
	"math"
)

// Smallest returns the eigenvectors of the want smallest eigenvalues of a symmetric n×n operator, in ascending order of the
// eigenvalues. apply writes A·x to y. start must not be orthogonal to any of them; use a random vector. It uses the Lanczos
// method with full re-orthogonalisation in at most steps dimensions: Lanczos, Journal of Research of the National Bureau of
// Standards 45 (1950); Parlett, "The symmetric eigenvalue problem" (1980), chapter 13. If the Krylov space ends early, it
// continues with the least covered coordinate vector, so that it also finds multiple eigenvalues. It returns only errors of
// the context.
func Smallest(ctx context.Context, n, want, steps int, start []float64, apply func(y, x []float64)) ([][]float64, error) {
	steps = min(steps, n)
	var basis [][]float64
	var diagonal, off []float64
	v := append([]float64(nil), start...)
	beta := normalise(v)
	for len(basis) < steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if beta < 1e-9 {
			if v = uncovered(basis, n); v == nil {
				break
			}
			beta = 0
		}
		if len(basis) > 0 {
			off = append(off, beta)
		}
		basis = append(basis, v)
		next := make([]float64, n)
		apply(next, v)
		diagonal = append(diagonal, Dot(v, next))
		orthogonalise(next, basis)
		orthogonalise(next, basis) // twice is enough: Parlett, section 6.9
		beta = normalise(next)
		v = next
	}
	_, small := Tridiagonal(diagonal, off[:max(len(diagonal)-1, 0)])
	vectors := make([][]float64, min(want, len(small)))
	for i := range vectors {
		vectors[i] = make([]float64, n)
		for j, b := range basis {
			addScaled(vectors[i], b, small[i][j])
		}
	}
	return vectors, nil
}

// uncovered returns a unit vector orthogonal to the basis, or nil if the basis is complete.
func uncovered(basis [][]float64, n int) []float64 {
	best, least := -1, 1-1e-6
	for i := range n {
		covered := 0.0
		for _, b := range basis {
			covered += float64(b[i] * b[i])
		}
		if covered < least {
			best, least = i, covered
		}
	}
	if best < 0 {
		return nil
	}
	v := make([]float64, n)
	v[best] = 1
	orthogonalise(v, basis)
	orthogonalise(v, basis)
	normalise(v)
	return v
}

// orthogonalise removes v's components in the span of the basis.
func orthogonalise(v []float64, basis [][]float64) {
	for _, b := range basis {
		addScaled(v, b, -Dot(b, v))
	}
}

// addScaled adds factor·x to v.
func addScaled(v, x []float64, factor float64) {
	for i, a := range x {
		v[i] += float64(factor * a)
	}
}

// normalise scales v to length 1, unless it is zero, and returns its previous length.
func normalise(v []float64) float64 {
	length := math.Sqrt(Dot(v, v))
	if length > 1e-300 {
		for i := range v {
			v[i] /= length
		}
	}
	return length
}
