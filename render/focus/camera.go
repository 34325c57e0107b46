package focus

import (
	"math"
	"slices"
)

// camera returns moves through places that are every w.every frames apart. It does not move if they are near each other.
func (w *Watcher) camera(from int, places []float64, coarse float64) (moves []Move) {
	low, high := slices.Min(places), slices.Max(places)
	if high-low <= still*w.o.Share {
		at := w.inside((low + high) / 2)
		return []Move{{from, at, at}}
	}
	smooth := gaussian(places, smoothing*w.o.Rate/float64(w.every))
	for i, v := range smooth {
		smooth[i] = w.inside(v)
	}
	corners := simplify(smooth, coarse*w.o.Share)
	for i, k := range corners[:len(corners)-1] {
		moves = append(moves, Move{from + k*w.every, smooth[k], smooth[corners[i+1]]})
	}
	last := corners[len(corners)-1]
	return append(moves, Move{from + last*w.every, smooth[last], smooth[last]})
}

// gaussian smooths values, which go on unchanged beyond both ends. sigma is in values.
func gaussian(values []float64, sigma float64) []float64 {
	reach := int(3*sigma) + 1
	smooth := make([]float64, len(values))
	for i := range values {
		sum, weights := 0.0, 0.0
		for k := -reach; k <= reach; k++ {
			weight := math.Exp(-float64(k*k) / (2 * sigma * sigma))
			sum += weight * values[min(max(i+k, 0), len(values)-1)]
			weights += weight
		}
		smooth[i] = sum / weights
	}
	return smooth
}

// simplify returns the corners of a polygonal line that is nowhere farther than off from the values (Douglas and Peucker). The first and the
// last value are corners.
func simplify(values []float64, off float64) []int {
	corners := []int{0}
	var divide func(from, to int)
	divide = func(from, to int) {
		worst, at := off, -1
		for i := from + 1; i < to; i++ {
			line := values[from] + (values[to]-values[from])*float64(i-from)/float64(to-from)
			if d := math.Abs(values[i] - line); d > worst {
				worst, at = d, i
			}
		}
		if at >= 0 {
			divide(from, at)
			divide(at, to)
			return
		}
		if to > from {
			corners = append(corners, to)
		}
	}
	divide(0, len(values)-1)
	return corners
}
