package focus

import (
	"math"
	"slices"
	"sort"
)

// Path is where the middle of the crop is at each frame: a share of the width, or of the height.
type Path struct {
	Moves []Move  // sorted; the first is from frame 0
	Pairs []Pair  // sorted parts in which two crops show two people, with Options.Pairs; the moves go on meanwhile
	Apart bool    // there are two people for whom Options.Pairs would make pairs
	Faces bool    // there are faces
	Lost  float64 // share of the time in which a face is outside the crop
}

// Move is a part of a path: from At, at frame From, to To, at the From of the next move. The speed is constant, or if Eased, it rises and falls:
// with u from 0 to 1, the way is u²(3-2u).
type Move struct {
	From   int
	At, To float64
	Eased  bool
}

// At returns the middle of the crop at a frame.
func (p Path) At(n int) float64 { return at(p.Moves, n) }

// Frozen returns a path that shows for ever what p shows at a frame.
func (p Path) Frozen(n int) Path {
	still := func(at float64) []Move { return []Move{{At: at, To: at}} }
	frozen := Path{Moves: still(p.At(n)), Faces: p.Faces}
	for _, pair := range p.Pairs {
		if pair.From <= n && n < pair.To {
			pair.From, pair.To = 0, math.MaxInt32
			for i, v := range pair.Views {
				pair.Views[i].X = still(at(v.X, n))
			}
			frozen.Pairs = []Pair{pair}
		}
	}
	return frozen
}

// at returns where moves are at a frame.
func at(moves []Move, n int) float64 {
	i := sort.Search(len(moves), func(i int) bool { return moves[i].From > n }) - 1
	if i < 0 {
		return 0.5
	}
	m := moves[i]
	if m.At == m.To || i+1 == len(moves) {
		return m.At
	}
	u := float64(n-m.From) / float64(moves[i+1].From-m.From)
	if m.Eased {
		u *= u * (3 - 2*u)
	}
	return m.At + (m.To-m.At)*u
}

const (
	margin    = 0.75 // of a face's size, on each side of its middle: what must be in the frame
	headroom  = 0.08 // of the crop: how far above its middle a face is
	mostMoves = 256
)

// Path returns the path for the frames so far.
func (w *Watcher) Path() Path {
	for i := range w.shots {
		w.shots[i].steady(w.every)
	}
	seats := w.seats()
	voices := voices(seats)
	var p Path
	for coarse := 1.; coarse < 16; coarse *= 1.5 {
		p.Moves = nil
		for i, s := range w.shots {
			p.Moves = append(p.Moves, w.follow(s, w.spans(i, seats, voices), coarse)...)
		}
		if len(p.Moves) <= mostMoves {
			break
		}
	}
	p.Moves = slices.CompactFunc(p.Moves, func(a, b Move) bool { return a.At == a.To && b.At == b.To && a.At == b.At })
	p.Faces = slices.ContainsFunc(w.shots, func(s shot) bool { return len(s.people) > 0 })
	pairs := w.pairs()
	if p.Apart = len(pairs) > 0; w.o.Pairs {
		p.Pairs = pairs
	}
	p.Lost = w.lost(p)
	return p
}

// span is a part of a shot in which the camera shows one person, or if person is -1, everybody.
type span struct{ from, to, person int }

// spans returns whom the camera shows in a shot: everybody if they fit, else who speaks, else the largest who is there.
func (w *Watcher) spans(shot int, seats []seat, voices map[string]int) (all []span) {
	s := w.shots[shot]
	if len(s.people) == 0 || w.fits(s) {
		return []span{{s.from, s.to, -1}}
	}
	speaking := map[string]int{}
	for who, i := range voices {
		for _, m := range seats[i].members {
			if m.shot == shot {
				speaking[who] = m.person
			}
		}
	}
	now := -1
	for n := s.from; n < s.to; n += w.every {
		who, known := speaking[w.speakerAt(n)]
		switch {
		case known && w.present(s.people[who], n):
			now = who
		case now < 0 || n < s.people[now].seen[0].n || n > s.people[now].lastSeen():
			now = w.largest(s, n, now)
		}
		if len(all) > 0 && all[len(all)-1].person == now {
			all[len(all)-1].to = min(n+w.every, s.to)
		} else {
			all = append(all, span{n, min(n+w.every, s.to), now})
		}
	}
	return joinShort(all, int(1.2*w.o.Rate))
}

// present reports whether a person is seen about when a frame is shown.
func (w *Watcher) present(p person, n int) bool {
	return n >= p.seen[0].n-int(w.o.Rate) && n <= p.lastSeen()+int(w.o.Rate)
}

// largest returns the person at a frame with the largest face, or other if there is none.
func (w *Watcher) largest(s shot, n, other int) int {
	best, size := -1, 0.0
	for i, p := range s.people {
		if f := p.at(n); n >= p.seen[0].n && n <= p.lastSeen() && f.size > 1.1*size {
			best, size = i, f.size
		}
	}
	if best < 0 {
		best = max(other, 0)
	}
	return best
}

// joinShort joins spans shorter than a number of frames to the one before, or at the beginning to the one after.
func joinShort(all []span, least int) (long []span) {
	for _, s := range all {
		switch last := len(long) - 1; {
		case last >= 0 && (s.to-s.from < least || s.person == long[last].person):
			long[last].to = s.to
		case last == 0 && long[0].to-long[0].from < least:
			s.from = long[0].from
			long[0] = s
		default:
			long = append(long, s)
		}
	}
	return long
}

// fits reports whether everybody in a shot is in the crop without moving it.
func (w *Watcher) fits(s shot) bool {
	low, high := w.extent(s)
	return high-low <= w.o.Share
}

// extent returns the part of the picture that the people in a shot take.
func (w *Watcher) extent(s shot) (low, high float64) {
	low, high = 1, 0
	for _, p := range s.people {
		for _, v := range p.seen {
			at, size := w.along(v.face)
			low, high = min(low, at-margin*size), max(high, at+margin*size)
		}
	}
	return low, high
}

// along returns where a face is in the direction of the crop and its size, as shares.
func (w *Watcher) along(f face) (at, size float64) {
	if w.o.Vertical {
		return f.y / float64(w.o.Height), f.size / float64(w.o.Height)
	}
	return f.x / float64(w.o.Width), f.size / float64(w.o.Width)
}

// inside moves the middle of the crop so that the crop is inside the picture.
func inside(at, share float64) float64 {
	half := share / 2
	at = min(max(at, half), 1-half)
	return math.Round(at*1e4) / 1e4
}

// follow returns the moves of the camera in a shot.
func (w *Watcher) follow(s shot, spans []span, coarse float64) (moves []Move) {
	lift := 0.0
	if w.o.Vertical {
		lift = headroom * w.o.Share
	}
	for _, sp := range spans {
		switch {
		case len(s.people) == 0:
			at := inside(s.centre(w.o.Share), w.o.Share)
			moves = append(moves, Move{From: sp.from, At: at, To: at})
			continue
		case sp.person < 0:
			low, high := w.extent(s)
			at := inside((low+high)/2+lift, w.o.Share)
			moves = append(moves, Move{From: sp.from, At: at, To: at})
			continue
		}
		var places []float64
		largest := 0.
		for n := sp.from; n < sp.to; n += w.every {
			at, size := w.along(s.people[sp.person].at(n))
			places, largest = append(places, at+lift), max(largest, size)
		}
		moves = append(moves, w.camera(sp.from, places, room(w.o.Share, largest), w.o.Share, coarse)...)
	}
	return moves
}

// lost returns the share of the time in which somebody who is seen is outside the crop.
func (w *Watcher) lost(p Path) float64 {
	lost, looks := 0, 0
	for _, s := range w.shots {
		i := slices.IndexFunc(p.Pairs, func(o Pair) bool { return o.From == s.from })
		for n := s.from; n < s.to; n += w.every {
			looks++
			if slices.ContainsFunc(s.people, func(o person) bool {
				f := o.at(n)
				at, _ := w.along(f)
				seen := math.Abs(at-p.At(n)) <= w.o.Share/2
				if i >= 0 {
					seen = p.Pairs[i].holds(n, f.x/float64(w.o.Width), f.y/float64(w.o.Height), w.halfWidth(p.Pairs[i].Height))
				}
				return n >= o.seen[0].n && n <= o.lastSeen() && !seen
			}) {
				lost++
			}
		}
	}
	return float64(lost) / float64(max(looks, 1))
}
