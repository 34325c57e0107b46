package focus

import "math"

// salienceColumns is the number of strips across the crop's direction in which salience is measured.
const salienceColumns = 32

// weigh adds to the salience of each strip of the picture: its contrasts, and twice what changed since the last look.
func (s *shot) weigh(o Options, pix, before []byte) {
	if s.salient == nil {
		s.salient = make([]float64, salienceColumns)
	}
	along := func(x, y int) int {
		if o.Vertical {
			return y * salienceColumns / o.Height
		}
		return x * salienceColumns / o.Width
	}
	for y := 0; y+2 < o.Height; y += 2 {
		for x := 0; x+2 < o.Width; x += 2 {
			i := y*o.Width + x
			v := int(pix[i])
			dx, dy := v-int(pix[i+2]), v-int(pix[i+2*o.Width])
			weight := max(dx, -dx) + max(dy, -dy)
			if before != nil {
				d := v - int(before[i])
				weight += 2 * max(d, -d)
			}
			s.salient[along(x, y)] += float64(weight)
		}
	}
}

// worthMoving is how many times as salient another part must be than the middle.
const worthMoving = 1.2

// centre returns the middle of the most salient part of a share of the picture, or 0.5 if it is hardly more salient than the middle.
func (s *shot) centre(share float64) float64 {
	window := max(1, int(math.Round(share*salienceColumns)))
	sum := func(from int) (sum float64) {
		for _, v := range s.salient[from:min(from+window, len(s.salient))] {
			sum += v
		}
		return sum
	}
	if window >= len(s.salient) {
		return 0.5
	}
	middle := (len(s.salient) - window) / 2
	best, most := middle, sum(middle)*worthMoving
	for from := 0; from+window <= len(s.salient); from++ {
		if v := sum(from); v > most {
			best, most = from, v
		}
	}
	if best == middle {
		return 0.5
	}
	return (float64(best) + float64(window)/2) / salienceColumns
}
