package focus

import "slices"

// person is a face that was followed through a shot.
type person struct {
	seen []sighting
}

// sighting is a face at a frame.
type sighting struct {
	face
	n    int
	talk float64 // how much the mouth moved since the look before
}

func (p person) lastSeen() int { return p.seen[len(p.seen)-1].n }

// searches is for how many looks a person who is no longer found is searched for.
const searches = 3

// link adds the faces of a frame to the people nearest to them. search looks for a person who wasn't found.
func (s *shot) link(n, every int, found []face, search func(face) (face, bool)) {
	slices.SortStableFunc(found, func(a, b face) int { // the surest first
		switch {
		case a.quality > b.quality:
			return -1
		case a.quality < b.quality:
			return 1
		}
		return 0
	})
	taken := make([]bool, len(s.people))
	for _, f := range found {
		best, nearest := -1, 0.0
		for i, p := range s.people {
			last := p.seen[len(p.seen)-1].face
			if d := last.distance(f); !taken[i] && last.alike(f) && (best < 0 || d < nearest) {
				best, nearest = i, d
			}
		}
		switch {
		case best >= 0:
			taken[best] = true
			s.people[best].seen = append(s.people[best].seen, sighting{face: f, n: n})
		case !slices.ContainsFunc(s.people, func(p person) bool { return p.lastSeen() == n && p.seen[len(p.seen)-1].distance(f) < f.size }):
			s.people, taken = append(s.people, person{[]sighting{{face: f, n: n}}}), append(taken, true)
		}
	}
	for i := range s.people {
		p := &s.people[i]
		if taken[i] || n-p.lastSeen() > searches*every {
			continue
		}
		f, ok := search(p.seen[len(p.seen)-1].face)
		if ok && !slices.ContainsFunc(s.people, func(o person) bool { return o.lastSeen() == n && o.seen[len(o.seen)-1].distance(f) < 0.7*f.size }) {
			p.seen = append(p.seen, sighting{face: f, n: n})
		}
	}
}

// distance returns how far apart two faces are, in pixels.
func (f face) distance(g face) float64 { return max(f.x-g.x, g.x-f.x) + max(f.y-g.y, g.y-f.y) }

// alike reports whether two faces of following looks may be the same person's.
func (f face) alike(g face) bool {
	return f.distance(g) < 1.2*f.size && f.size < 1.7*g.size && g.size < 1.7*f.size
}

// steady removes people who were seen too rarely to be people.
func (s *shot) steady(every int) {
	looks := (s.to-s.from-1)/every + 1
	s.people = slices.DeleteFunc(s.people, func(p person) bool {
		return len(p.seen) < min(3, looks) || len(p.seen)*6 < looks
	})
}

// at returns where a person is at a frame: between two sightings on a line, before and after them at the nearest.
func (p person) at(n int) face {
	i, found := slices.BinarySearchFunc(p.seen, n, func(s sighting, n int) int { return s.n - n })
	switch {
	case found:
		return p.seen[i].face
	case i == 0:
		return p.seen[0].face
	case i == len(p.seen):
		return p.seen[i-1].face
	}
	a, b := p.seen[i-1], p.seen[i]
	t := float64(n-a.n) / float64(b.n-a.n)
	mix := func(a, b float64) float64 { return a + (b-a)*t }
	return face{x: mix(a.x, b.x), y: mix(a.y, b.y), size: mix(a.size, b.size), quality: mix(a.quality, b.quality)}
}
