package diarize

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
)

// graph connects similar windows: a symmetric sparse matrix of weights.
type graph struct {
	neighbours [][]int32
	weights    [][]float32
	degree     []float64 // sum of each row's weights
}

// nearestFirst returns, for each window, itself and the windows most similar to it, best first: as many as the largest graph needs.
func nearestFirst(similarity [][]float32) [][]int32 {
	n := len(similarity)
	most := neighbours(n, slices.Max(neighbourShares[:])) + 1
	out, order := make([][]int32, n), make([]uint64, n)
	for i, row := range similarity {
		for j, s := range row {
			bits := math.Float32bits(s + 0) // the sum makes −0 equal to 0
			if s < 0 {
				order[j] = uint64(bits)<<32 | uint64(j)
			} else {
				order[j] = uint64(math.MaxInt32-bits)<<32 | uint64(j)
			}
		}
		slices.Sort(order)
		out[i] = make([]int32, most)
		for k, o := range order[:most] {
			out[i][k] = int32(uint32(o))
		}
	}
	return out
}

// neighbours returns how many of n windows each is connected with: a share of all and at least 6.
func neighbours(n int, share float64) int {
	return min(max(6, int(float64(share*float64(n)))), n-1)
}

// neighbourGraph connects each window with its most similar windows. Two windows are connected if either chose the other (Luxburg, "A
// tutorial on spectral clustering", Statistics and Computing 17 (2007)). Consecutive windows are always connected, which keeps the graph
// connected. nearest comes from nearestFirst.
func neighbourGraph(similarity [][]float32, nearest [][]int32, share float64) *graph {
	n := len(similarity)
	k := neighbours(n, share)
	g := &graph{make([][]int32, n), make([][]float32, n), make([]float64, n)}
	chosen := make([]bool, n*n)
	for i := range similarity {
		for _, j := range nearest[i][:k+1] {
			chosen[i*n+int(j)] = true
			chosen[int(j)*n+i] = true
		}
		if i > 0 {
			chosen[i*n+i-1], chosen[(i-1)*n+i] = true, true
		}
	}
	for i, row := range similarity {
		count := 0
		for _, c := range chosen[i*n : (i+1)*n] {
			if c {
				count++
			}
		}
		g.neighbours[i], g.weights[i] = make([]int32, 0, count), make([]float32, 0, count)
		for j, c := range chosen[i*n : (i+1)*n] {
			if i == j || !c {
				continue
			}
			w := max(row[j], 1e-4)
			g.neighbours[i] = append(g.neighbours[i], int32(j))
			g.weights[i] = append(g.weights[i], w)
			g.degree[i] += float64(w)
		}
	}
	return g
}

// laplacian writes (D − W)·x to y.
func (g *graph) laplacian(y, x []float64) {
	for i, neighbours := range g.neighbours {
		sum, weights := 0.0, g.weights[i]
		for k, j := range neighbours {
			sum += float64(float64(weights[k]) * x[j])
		}
		y[i] = float64(g.degree[i]*x[i]) - sum
	}
}

// embed returns each window's coordinates in the eigenvectors of the count smallest eigenvalues.
func (g *graph) embed(ctx context.Context, count int, rng *rand.PCG) ([][]float64, error) {
	n := len(g.degree)
	start := make([]float64, n)
	for i := range start {
		start[i] = uniform(rng) - 0.5
	}
	vectors, err := dsp.Smallest(ctx, n, count, 60+4*count, start, g.laplacian)
	if err != nil {
		return nil, err
	}
	points := make([][]float64, n)
	for i := range points {
		points[i] = make([]float64, len(vectors))
		for k, v := range vectors {
			points[i][k] = v[i]
		}
	}
	return points, nil
}

// uniform returns a number in [0, 1).
func uniform(rng *rand.PCG) float64 { return float64(rng.Uint64()>>11) / (1 << 53) }

// clusterPoints groups points by their first k coordinates: k-means (Lloyd, IEEE Trans. Information Theory 28 (1982)) with
// k-means++ initialisation (Arthur & Vassilvitskii, SODA 2007). Groups may be empty.
func clusterPoints(points [][]float64, k int, rng *rand.PCG) []int {
	centres := seedCentres(points, k, rng)
	labels, sizes := make([]int, len(points)), make([]float64, k)
	for round := range 30 {
		changed := round == 0
		for i, p := range points {
			best, nearest := squaredDistance(centres[0], p), 0
			for c := 1; c < k; c++ {
				if d := squaredDistance(centres[c], p); d < best {
					best, nearest = d, c
				}
			}
			if labels[i] != nearest {
				labels[i], changed = nearest, true
			}
		}
		if !changed {
			break
		}
		clear(sizes)
		for _, c := range centres {
			clear(c)
		}
		for i, p := range points {
			c := centres[labels[i]]
			sizes[labels[i]]++
			for j := range c {
				c[j] += p[j]
			}
		}
		for j, c := range centres {
			for i := range c {
				c[i] /= max(sizes[j], 1)
			}
		}
	}
	return labels
}

// seedCentres chooses k of the points, each with a probability proportional to the squared distance from its nearest predecessor.
func seedCentres(points [][]float64, k int, rng *rand.PCG) [][]float64 {
	centres, nearest := make([][]float64, 0, k), make([]float64, len(points))
	at := int(float64(uniform(rng) * float64(len(points))))
	for {
		centre := slices.Clone(points[at][:min(k, len(points[at]))])
		centres = append(centres, centre)
		if len(centres) == k {
			return centres
		}
		total := 0.0
		for i, p := range points {
			if d := squaredDistance(centre, p); len(centres) == 1 || d < nearest[i] {
				nearest[i] = d
			}
			total += nearest[i]
		}
		left := float64(uniform(rng) * total)
		at = 0
		for i, d := range nearest {
			if left -= d; left < 0 {
				at = i
				break
			}
		}
	}
}

// squaredDistance sums over the length of a.
func squaredDistance(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		d := v - b[i]
		sum += float64(d * d)
	}
	return sum
}
