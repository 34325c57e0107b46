package diarize

import (
	"context"
	"math"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
)

const (
	trainRounds = 5
	maxParts    = 16 // most components of a mixture
)

// mixture is a Gaussian mixture with diagonal covariances.
type mixture struct {
	dim   int
	parts []gaussian
}

// gaussian is one weighted component: ln(w·N(x; m, v)) = constant − ½·Σ (x−m)²/v.
type gaussian struct {
	constant      float64
	weight        float64
	mean, inverse []float64 // inverse is ½/v
}

// set computes the parameters for scoring from weight, mean and variance.
func (g *gaussian) set(weight float64, mean, variance []float64) {
	g.weight = weight
	g.constant = dsp.Log(max(weight, 1e-300))
	g.mean = append(g.mean[:0], mean...)
	g.inverse = g.inverse[:0]
	for _, v := range variance {
		g.constant -= float64(0.5 * dsp.Log(2*math.Pi*v))
		g.inverse = append(g.inverse, 0.5/v)
	}
}

// score returns ln(w·N(x)).
func (g *gaussian) score(x []float64) float64 {
	mean, inverse := g.mean[:len(x)], g.inverse[:len(x)]
	a, b := g.constant, 0.0
	i := 0
	for ; i+1 < len(x); i += 2 {
		d, e := x[i]-mean[i], x[i+1]-mean[i+1]
		a -= float64(d * d * inverse[i])
		b -= float64(e * e * inverse[i+1])
	}
	if i < len(x) {
		d := x[i] - mean[i]
		a -= float64(d * d * inverse[i])
	}
	return a + b
}

// score returns ln p(x), by the log-sum-exp of the components.
func (m *mixture) score(x []float64) float64 {
	best := math.Inf(-1)
	var scores [maxParts]float64
	for i := range m.parts {
		scores[i] = m.parts[i].score(x)
		best = max(best, scores[i])
	}
	sum := 0.0
	for _, s := range scores[:len(m.parts)] {
		if s > best-20 {
			sum += dsp.Exp(s - best)
		}
	}
	return best + dsp.Log(sum)
}

// train fits a mixture of at most count components (≤ mostParts) to rows of dim numbers each. It uses expectation
// maximisation (Dempster, Laird & Rubin, JRSS B 39 (1977)), starting from k-means clusters. Variances are kept above 1 % of
// the rows' variance. It returns only errors of the context.
func train(ctx context.Context, rows []float64, dim, count int) (*mixture, error) {
	n := len(rows) / dim
	row := func(i int) []float64 { return rows[i*dim : (i+1)*dim] }
	floor := make([]float64, dim)
	_, variance := moments(rows, dim)
	for k, v := range variance {
		floor[k] = max(v/100, 1e-3)
	}
	count = max(1, min(count, n/(2*dim)))
	parts := make([]gaussian, count)
	for i, cluster := range kmeans(rows, dim, variance, count) {
		parts[i].set(1/float64(count), cluster, variance)
	}
	m := &mixture{dim, parts}
	weight, sum, square := make([]float64, count), make([]float64, count*dim), make([]float64, count*dim)
	mean, scores := make([]float64, dim), make([]float64, count)
	for range trainRounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		clear(weight)
		clear(sum)
		clear(square)
		for i := range n {
			x := row(i)
			best, total := math.Inf(-1), 0.0
			for j := range parts {
				scores[j] = parts[j].score(x)
				best = max(best, scores[j])
			}
			for j, s := range scores {
				scores[j] = 0
				if s > best-15 {
					scores[j] = dsp.Exp(s - best)
				}
				total += scores[j]
			}
			for j, s := range scores {
				if s == 0 {
					continue
				}
				p := s / total
				weight[j] += p
				own, ownSquare := sum[j*dim:(j+1)*dim], square[j*dim:(j+1)*dim]
				for k, v := range x {
					pv := float64(p * v)
					own[k] += pv
					ownSquare[k] += float64(pv * v)
				}
			}
		}
		for j := range parts {
			if weight[j] < 2 {
				continue // too few rows: keep the component unchanged
			}
			for k := range dim {
				mean[k] = sum[j*dim+k] / weight[j]
				variance[k] = max(square[j*dim+k]/weight[j]-float64(mean[k]*mean[k]), floor[k])
			}
			parts[j].set(weight[j]/float64(n), mean, variance)
		}
	}
	return m, nil
}

// moments returns the mean and the variance of each column. Variances are at least 1e-6.
func moments(rows []float64, dim int) (mean, variance []float64) {
	mean, variance = make([]float64, dim), make([]float64, dim)
	n := max(len(rows)/dim, 1)
	for i := 0; i+dim <= len(rows); i += dim {
		for k := range dim {
			mean[k] += rows[i+k]
			variance[k] += float64(rows[i+k] * rows[i+k])
		}
	}
	for k := range dim {
		mean[k] /= float64(n)
		variance[k] = max(variance[k]/float64(n)-float64(mean[k]*mean[k]), 1e-6)
	}
	return mean, variance
}

// kmeans returns the centres of count clusters of the rows, with each column scaled by its standard deviation (Lloyd, IEEE
// Trans. Information Theory 28 (1982)). It starts from evenly spaced rows.
func kmeans(rows []float64, dim int, variance []float64, count int) [][]float64 {
	n := len(rows) / dim
	centres := make([][]float64, count)
	for j := range centres {
		at := (2*j + 1) * n / (2 * count)
		centres[j] = append([]float64(nil), rows[at*dim:(at+1)*dim]...)
	}
	sizes, sums := make([]float64, count), make([]float64, count*dim)
	inverse := make([]float64, dim)
	for k, v := range variance {
		inverse[k] = 1 / v
	}
	for range 5 {
		clear(sizes)
		clear(sums)
		for i := range n {
			x := rows[i*dim : (i+1)*dim]
			best, nearest := math.Inf(1), 0
			for j, c := range centres {
				distance := 0.0
				for k, v := range x {
					d := v - c[k]
					distance += float64(d * d * inverse[k])
				}
				if distance < best {
					best, nearest = distance, j
				}
			}
			sizes[nearest]++
			for k, v := range x {
				sums[nearest*dim+k] += v
			}
		}
		for j := range centres {
			if sizes[j] > 0 {
				for k := range dim {
					centres[j][k] = sums[j*dim+k] / sizes[j]
				}
			}
		}
	}
	return centres
}
