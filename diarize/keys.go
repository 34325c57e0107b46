package diarize

import (
	"context"
	"math"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
)

const (
	modelSize = 128  // Gaussians in the background model
	modelPool = 1000 // most windows to choose them from
	keyTop    = 5    // Gaussians that a frame activates: those with the highest likelihood
)

// keys represents each window by how often it activates each Gaussian of a background model learnt from the windows. These
// are binary keys (Anguera & Bonastre, "Fast speaker diarization based on binary keys", ICASSP 2011; Patino, Delgado &
// Evans, "The EURECOM submission to the first DIHARD challenge", Interspeech 2018), except that counts are kept. Vectors are
// the square roots of the shares, with unit length, so dot products are Bhattacharyya coefficients.
func keys(ctx context.Context, f *frames, windows []span) ([][]float64, error) {
	model := arrange(nil, background(f, windows))
	offset := windows[0].lo
	active := make([][keyTop]uint8, windows[len(windows)-1].hi-offset)
	done := offset // frames before this one are processed
	vectors := make([][]float64, len(windows))
	var x [coefficients]float64
	for w, s := range windows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i := max(done, s.lo); i < s.hi; i++ {
			if f.core(i) {
				f.cepstrum(x[:], i)
				active[i-offset] = activated(model, x[:])
			}
		}
		done = s.hi
		vector := make([]float64, modelSize)
		for i := s.lo; i < s.hi; i++ {
			if f.core(i) {
				for _, j := range active[i-offset] {
					vector[j]++
				}
			}
		}
		for j, v := range vector {
			vector[j] = math.Sqrt(v)
		}
		unit(vector)
		vectors[w] = vector
	}
	return vectors, nil
}

// activated returns the Gaussians with the highest likelihood of x.
func activated(model []four, x []float64) (top [keyTop]uint8) {
	var scores [keyTop]float64
	for k := range scores {
		scores[k] = math.Inf(-1)
	}
	var four quad
	for i := range model {
		model[i].score(&four, x)
		for j, s := range four {
			if s <= scores[keyTop-1] {
				continue
			}
			at := keyTop - 1
			for ; at > 0 && s > scores[at-1]; at-- {
				scores[at], top[at] = scores[at-1], top[at-1]
			}
			scores[at], top[at] = s, uint8(4*i+j)
		}
	}
	return top
}

// background returns Gaussians of windows that differ most. Each one is the furthest from its nearest predecessor (Gonzalez,
// Theoretical Computer Science 38 (1985)), by the symmetric Kullback–Leibler divergence.
func background(f *frames, windows []span) []gaussian {
	stride := (len(windows) + modelPool - 1) / modelPool
	var pool []gaussian
	var variances [][]float64
	for w := 0; w < len(windows); w += stride {
		var m moment
		m.observe(f, windows[w])
		mean, variance := m.diagonal()
		var g gaussian
		g.set(1, mean, variance)
		pool, variances = append(pool, g), append(variances, variance)
	}
	divergence := func(a, b int) float64 {
		sum := 0.0
		for k, va := range variances[a] {
			vb := variances[b][k]
			d := pool[a].mean[k] - pool[b].mean[k]
			sum += (va+float64(d*d))/vb + (vb+float64(d*d))/va
		}
		return sum
	}
	nearest := make([]float64, len(pool))
	for i := range nearest {
		nearest[i] = math.Inf(1)
	}
	var model []gaussian
	for at := 0; len(model) < min(modelSize, len(pool)); {
		model = append(model, pool[at])
		next, far := 0, -1.0
		for i := range pool {
			nearest[i] = min(nearest[i], divergence(at, i))
			if nearest[i] > far {
				next, far = i, nearest[i]
			}
		}
		at = next
	}
	return model
}

// unit scales v to length 1, unless it is zero.
func unit(v []float64) {
	if length := math.Sqrt(dsp.Dot(v, v)); length > 0 {
		for i := range v {
			v[i] /= length
		}
	}
}
