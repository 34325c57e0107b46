package diarize

import (
	"context"
	"math"
	"slices"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
)

const (
	trainRounds = 5
	maxParts    = 16 // most components of a mixture
)

// mixture is a Gaussian mixture with diagonal covariances.
type mixture struct {
	parts int
	fours []four
}

// gaussian is one weighted component: ln(w·N(x; m, v)) = constant − ½·Σ (x−m)²/v.
type gaussian struct {
	constant      float64
	mean, inverse []float64 // inverse is ½/v
}

// set computes the parameters for scoring from weight, mean and variance.
func (g *gaussian) set(weight float64, mean, variance []float64) {
	g.constant = dsp.Log(max(weight, 1e-300))
	g.mean = append(g.mean[:0], mean...)
	g.inverse = g.inverse[:0]
	for _, v := range variance {
		g.constant -= float64(0.5 * dsp.Log(2*math.Pi*v))
		g.inverse = append(g.inverse, 0.5/v)
	}
}

// four has four components, whose scores are computed at the same time.
type four struct {
	constant quad
	rows     []row
}

// row has the parameters of a feature.
type row struct{ mean, inverse quad }

type quad [4]float64

// arrange writes the components to fours, and returns them; it appends what is missing. What fills up the last four has the likelihood 0.
func arrange(fours []four, parts []gaussian) []four {
	for len(fours) < (len(parts)+3)/4 {
		fours = append(fours, four{rows: make([]row, len(parts[0].mean))})
	}
	for i := range fours {
		f := &fours[i]
		for j := range f.constant {
			f.constant[j] = math.Inf(-1)
			if 4*i+j >= len(parts) {
				continue
			}
			g := &parts[4*i+j]
			f.constant[j] = g.constant
			for k := range f.rows {
				f.rows[k].mean[j], f.rows[k].inverse[j] = g.mean[k], g.inverse[k]
			}
		}
	}
	return fours
}

// score writes ln(w·N(x)) of each component to out. x must have an even length.
func (f *four) score(out *quad, x []float64) {
	rows := f.rows[:len(x)]
	a0, a1, a2, a3 := f.constant[0], f.constant[1], f.constant[2], f.constant[3]
	var b0, b1, b2, b3 float64 // second sums, so that additions don't wait for each other
	for k := 0; k+1 < len(x); k += 2 {
		r, v := &rows[k], x[k]
		d0, d1, d2, d3 := v-r.mean[0], v-r.mean[1], v-r.mean[2], v-r.mean[3]
		a0 -= float64(d0 * d0 * r.inverse[0])
		a1 -= float64(d1 * d1 * r.inverse[1])
		a2 -= float64(d2 * d2 * r.inverse[2])
		a3 -= float64(d3 * d3 * r.inverse[3])
		r, v = &rows[k+1], x[k+1]
		d0, d1, d2, d3 = v-r.mean[0], v-r.mean[1], v-r.mean[2], v-r.mean[3]
		b0 -= float64(d0 * d0 * r.inverse[0])
		b1 -= float64(d1 * d1 * r.inverse[1])
		b2 -= float64(d2 * d2 * r.inverse[2])
		b3 -= float64(d3 * d3 * r.inverse[3])
	}
	out[0], out[1], out[2], out[3] = a0+b0, a1+b1, a2+b2, a3+b3
}

// score returns ln p(x). x must have an even length.
func (m *mixture) score(x []float64) float64 {
	var scores [maxParts]float64
	for i := range m.fours {
		m.fours[i].score((*quad)(scores[4*i:]), x)
	}
	return logSum(scores[:m.parts])
}

// logSum returns ln Σ e^s of at most maxParts scores, without those that are more than 20 below the highest.
func logSum(scores []float64) float64 {
	best := slices.Max(scores)
	var above [maxParts]uint8
	sum := 0.0
	for _, j := range indicesAbove(&above, scores, best-20) {
		sum += dsp.Exp(scores[j] - best)
	}
	return best + dsp.Log(sum)
}

// indicesAbove returns the indices of the scores above least, in out. It has no branch that depends on a score: that would be wrongly
// predicted about as often as not, and then the processor couldn't compute several powers at a time.
func indicesAbove(out *[maxParts]uint8, scores []float64, least float64) []uint8 {
	n := 0
	for j, s := range scores {
		out[uint(n)%maxParts] = uint8(j)
		n += one(s > least)
	}
	return out[:n]
}

// one returns 1 if b is true, otherwise 0.
func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// train fits a mixture of at most count components (≤ mostParts) to rows of dim numbers each. It uses expectation
// maximisation (Dempster, Laird & Rubin, JRSS B 39 (1977)), starting from k-means clusters. Variances are kept above 1 % of
// the rows' variance. dim must be even. It returns only errors of the context.
func train(ctx context.Context, rows []float64, dim, count int) (*mixture, error) {
	n := len(rows) / dim
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
	m := &mixture{parts: count}
	weight, sum, square := make([]float64, count), make([]float64, count*dim), make([]float64, count*dim)
	mean := make([]float64, dim)
	var all [maxParts]float64
	var above [maxParts]uint8
	scores := all[:count]
	for range trainRounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m.fours = arrange(m.fours, parts)
		clear(weight)
		clear(sum)
		clear(square)
		for i := range n {
			x := rows[i*dim : (i+1)*dim]
			for j := range m.fours {
				m.fours[j].score((*quad)(all[4*j:]), x)
			}
			best, total := slices.Max(scores), 0.0
			near := indicesAbove(&above, scores, best-15)
			for _, j := range near {
				scores[j] = dsp.Exp(scores[j] - best)
				total += scores[j]
			}
			for _, j := range near {
				p := scores[j] / total
				weight[j] += p
				own, ownSquare := sum[int(j)*dim:][:len(x)], square[int(j)*dim:][:len(x)]
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
	m.fours = arrange(m.fours, parts)
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
	inverse := make([]float64, dim)
	for k, v := range variance {
		inverse[k] = 1 / v
	}
	parts := make([]gaussian, count)
	for j := range parts {
		at := (2*j + 1) * n / (2 * count)
		parts[j] = gaussian{mean: slices.Clone(rows[at*dim : (at+1)*dim]), inverse: inverse}
	}
	sizes, sums := make([]float64, count), make([]float64, count*dim)
	var scores [maxParts]float64
	var fours []four
	for range 5 {
		fours = arrange(fours, parts)
		clear(sizes)
		clear(sums)
		for i := range n {
			x := rows[i*dim : (i+1)*dim]
			for j := range fours {
				fours[j].score((*quad)(scores[4*j:]), x)
			}
			nearest := highest(scores[:count])
			sizes[nearest]++
			for k, v := range x {
				sums[nearest*dim+k] += v
			}
		}
		for j := range parts {
			if sizes[j] > 0 {
				for k := range dim {
					parts[j].mean[k] = sums[j*dim+k] / sizes[j]
				}
			}
		}
	}
	centres := make([][]float64, count)
	for j := range parts {
		centres[j] = parts[j].mean
	}
	return centres
}
