package focus

import (
	"cmp"
	"math"
	"slices"
)

// Pair is a part of a video in which two people are far apart, so that each is shown in a crop of their own.
type Pair struct {
	From, To int     // frames; To is after the last one
	Height   float64 // of each crop, as a share of the picture's
	Views    [2]View // the first is farther left, or if the people are above each other, farther up
}

// View is where the middle of a crop of a Pair is.
type View struct {
	X []Move  // shares of the width; the first is from the pair's first frame
	Y float64 // share of the height
}

const (
	leastHeight  = 0.45 // of the picture: a smaller crop would be blurred
	heightStep   = 0.05 // from one try to the next
	faceInHalf   = 0.33 // of a crop's height: the size of a face, if the people are far away
	oftenThere   = 0.6  // of a shot: both people must be there as long
	leastPair    = 1.   // seconds
	shoulders    = 2.   // times a face: what of somebody must not be in the other one's crop
	overlapping  = 0.1  // of it
	mostSections = 32   // of a video, alternately with and without a pair
)

// pairs returns the parts of the video that show two people.
func (w *Watcher) pairs() (all []Pair) {
	if w.o.Half == 0 {
		return nil
	}
	for _, s := range w.shots {
		if len(all) == mostSections/2 {
			break
		}
		if p, ok := w.pair(s); ok {
			all = append(all, p)
		}
	}
	return all
}

// pair returns the crops of the two people of a shot, if there are two who don't fit into one crop.
func (w *Watcher) pair(s shot) (Pair, bool) {
	if float64(s.to-s.from) < leastPair*w.o.Rate || w.fits(s) {
		return Pair{}, false
	}
	var two []person
	for _, p := range s.people {
		if float64(w.there(p)) >= oftenThere*float64(s.to-s.from) {
			two = append(two, p)
		}
	}
	slices.SortStableFunc(two, func(a, b person) int {
		return cmp.Compare(float64(len(b.seen))*b.mean().size, float64(len(a.seen))*a.mean().size)
	})
	if len(two) < 2 || w.fits(shot{people: two[:2]}) {
		return Pair{}, false
	}
	two = two[:2]
	slices.SortStableFunc(two, func(a, b person) int {
		if w.o.Vertical {
			return cmp.Compare(a.mean().y, b.mean().y)
		}
		return cmp.Compare(a.mean().x, b.mean().x)
	})
	out := Pair{From: s.from, To: s.to, Height: w.halfHeight(two[0].mean(), two[1].mean())}
	share := w.halfWidth(out.Height)
	for i, p := range two {
		var places []float64
		for n := s.from; n < s.to; n += w.every {
			places = append(places, p.at(n).x/float64(w.o.Width))
		}
		out.Views[i].X = w.camera(s.from, places, room(share, p.mean().size/float64(w.o.Width)), share, 1)
		_, out.Views[i].Y = w.half(p.mean(), out.Height)
	}
	return out, true
}

// there returns for how many frames somebody is there: those of each look that sees them, and those of a short time between two looks.
func (w *Watcher) there(p person) (frames int) {
	for i, s := range p.seen {
		until := s.n + w.every
		if i+1 < len(p.seen) && p.seen[i+1].n-s.n <= int(w.o.Rate) {
			until = p.seen[i+1].n
		}
		frames += until - s.n
	}
	return frames
}

// halfWidth returns the width of a crop of a height, both as shares.
func (w *Watcher) halfWidth(height float64) float64 {
	return height * w.o.Half * float64(w.o.Height) / float64(w.o.Width)
}

// half returns the middle of the crop around a face.
func (w *Watcher) half(f face, height float64) (x, y float64) {
	return inside(f.x/float64(w.o.Width), w.halfWidth(height)), inside(f.y/float64(w.o.Height)+headroom*height, height)
}

// halfHeight returns the height of the crops around two faces: the largest one with which neither crop shows the other face, or less if the
// faces would be small.
func (w *Watcher) halfHeight(a, b face) float64 {
	most := min(1, max(leastHeight, min(a.size, b.size)/float64(w.o.Height)/faceInHalf))
	for height := most; height > leastHeight; height -= heightStep {
		if w.halfWidth(height) <= 1 && !w.shows(a, b, height) && !w.shows(b, a, height) {
			return math.Round(height*1e4) / 1e4
		}
	}
	return min(leastHeight, 1/w.halfWidth(1))
}

// shows reports whether the crop around a face shows more of another one than it may.
func (w *Watcher) shows(f, other face, height float64) bool {
	x, y := w.half(f, height)
	return overlap(x, w.halfWidth(height), other.x/float64(w.o.Width), shoulders*other.size/float64(w.o.Width)) > overlapping &&
		overlap(y, height, other.y/float64(w.o.Height), shoulders*other.size/float64(w.o.Height)) > overlapping
}

// overlap returns the share of something that is in a crop, in one direction.
func overlap(crop, share, at, size float64) float64 {
	return (min(crop+share/2, at+size/2) - max(crop-share/2, at-size/2)) / size
}

// mean returns the mean of a person's sightings.
func (p person) mean() (m face) {
	for _, s := range p.seen {
		m.x, m.y, m.size = m.x+s.x, m.y+s.y, m.size+s.size
	}
	n := float64(len(p.seen))
	return face{x: m.x / n, y: m.y / n, size: m.size / n}
}

// holds reports whether a crop of the pair shows the middle of a face at a frame.
func (p Pair) holds(n int, x, y, width float64) bool {
	return slices.ContainsFunc(p.Views[:], func(v View) bool {
		return math.Abs(x-at(v.X, n)) <= width/2 && math.Abs(y-v.Y) <= p.Height/2
	})
}
