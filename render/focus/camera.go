package focus

import (
	"math"
	"slices"
)

const (
	rest      = 1.5  // seconds: for how long the camera rests at least, unless it follows somebody who walks
	pan       = 0.8  // seconds: the shortest move from one rest to the next
	smoothing = 0.3  // seconds, of a Gaussian
	tolerance = 0.5  // of the room of a face: how far the camera's straight lines may be off
	leastRoom = 0.3  // of the crop: how far a face may move without being followed, if it is large
	mostRoom  = 0.45 // of the crop: the same of a small face
)

// room returns how far a face of a size may move without being followed: it must stay in the crop.
func room(share, size float64) float64 {
	return min(max(share-2*margin*size, leastRoom*share), mostRoom*share)
}

// standstill is a part of the places in which the camera rests.
type standstill struct {
	from, to int // to is the last one
	at       float64
}

// camera returns moves through places that are every w.every frames apart. The camera rests for as long as it can, since moves draw
// attention and cost processor time. It moves on straight lines. room is how far the places may move without being followed, and share what
// the crop shows.
func (w *Watcher) camera(from int, places []float64, room, share, coarse float64) (moves []Move) {
	inside := func(at float64) float64 { return inside(at, share) }
	looksPerSecond := w.o.Rate / float64(w.every)
	smooth := gaussian(places, smoothing*looksPerSecond)
	for i, v := range smooth {
		smooth[i] = inside(v)
	}
	add := func(from, to int) { // a move that isn't a standstill
		for corners := simplify(smooth[from:to+1], tolerance*room*coarse); len(corners) > 1; corners = corners[1:] {
			moves = append(moves, Move{From: from + corners[0], At: smooth[from+corners[0]], To: smooth[from+corners[1]]})
		}
	}
	rests := standstills(places, room, int(math.Ceil(rest*looksPerSecond)), int(math.Ceil(pan*looksPerSecond)))
	at := 0
	for _, r := range rests {
		v := inside(r.at)
		smooth[r.from], smooth[r.to] = v, v
		before := len(moves)
		add(at, r.from)
		if len(moves) == before+1 && at > 0 {
			moves[before].Eased = true
		}
		moves = append(moves, Move{From: r.from, At: v, To: v})
		at = r.to
	}
	last := len(places) - 1
	add(at, last)
	if len(rests) == 0 || at < last {
		moves = append(moves, Move{From: last, At: smooth[last], To: smooth[last]})
	}
	for i := range moves {
		moves[i].From = from + moves[i].From*w.every
	}
	return moves
}

// standstills returns the parts of the places, at least least long, that need room at most: first the longest part, then the longest ones
// before and after it. Between two of them is time for a pan.
func standstills(places []float64, room float64, least, pan int) (all []standstill) {
	ends := make([]int, len(places))
	for i := range places {
		low, high, j := places[i], places[i], i
		for j+1 < len(places) && max(high, places[j+1])-min(low, places[j+1]) <= room {
			j++
			low, high = min(low, places[j]), max(high, places[j])
		}
		ends[i] = j
	}
	var find func(from, to int)
	find = func(from, to int) {
		best, length := -1, least
		if from == 0 && to == len(places)-1 {
			length = min(least, to) // somebody who is seen for a short time only
		}
		for i := from; i <= to; i++ {
			if n := min(ends[i], to) - i; n >= length && (best < 0 || n > length) {
				best, length = i, n
			}
		}
		if best < 0 {
			return
		}
		find(from, best-pan)
		part := places[best : best+length+1]
		r := standstill{best, best + length, (slices.Min(part) + slices.Max(part)) / 2}
		if r.from > 0 { // a shorter move would be a jerk
			r.from = max(r.from, pan)
		}
		if last := len(places) - 1; r.to < last {
			r.to = min(r.to, last-pan)
		}
		all = append(all, r)
		find(best+length+pan, to)
	}
	find(0, len(places)-1)
	return all
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
