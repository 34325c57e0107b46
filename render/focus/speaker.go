package focus

import (
	"slices"
	"time"
)

// talk returns how much more the mouth of a face changed than its eyes, in grey levels. Comparing with the eyes leaves out movements of the
// whole head and noise.
func talk(now, before []byte, width, height int, f, g face) float64 {
	difference := func(top, bottom, side float64) float64 {
		sum, count := 0, 0
		for y := int(top * f.size); y < int(bottom*f.size); y++ {
			for x := int(-side * f.size); x < int(side*f.size); x++ {
				ax, ay, bx, by := int(f.x)+x, int(f.y)+y, int(g.x)+x, int(g.y)+y
				if min(ax, ay, bx, by) < 0 || max(ax, bx) >= width || max(ay, by) >= height {
					continue
				}
				d := int(now[ay*width+ax]) - int(before[by*width+bx])
				sum, count = sum+max(d, -d), count+1
			}
		}
		if count == 0 {
			return 0
		}
		return float64(sum) / float64(count)
	}
	return max(0, difference(0.15, 0.5, 0.22)-0.7*difference(-0.35, 0.05, 0.3))
}

// seat is a place in the picture where somebody is seen in one or more shots, such as one side of a table.
type seat struct {
	face    face               // of the first who was seen there
	members []member           // of shots
	talk    map[string]float64 // sum of the mouth's movement while each speaker speaks
	looks   map[string]int     // how often it was looked at while each speaker speaks
}

type member struct{ shot, person int }

// seats returns the places where people are, and how much their mouths move while each speaker speaks.
func (w *Watcher) seats() (all []seat) {
	for i, s := range w.shots {
		for j, p := range s.people {
			first := p.seen[0].face
			k := slices.IndexFunc(all, func(o seat) bool {
				return o.face.distance(first) < 0.8*first.size && o.face.size < 1.4*first.size && first.size < 1.4*o.face.size
			})
			if k < 0 {
				k, all = len(all), append(all, seat{face: first, talk: map[string]float64{}, looks: map[string]int{}})
			}
			all[k].members = append(all[k].members, member{i, j})
			for _, v := range p.seen {
				who := w.speakerAt(v.n)
				all[k].talk[who] += v.talk
				all[k].looks[who]++
			}
		}
	}
	return all
}

// speakerAt returns who speaks at a frame, "" for nobody.
func (w *Watcher) speakerAt(n int) string {
	at := time.Duration(float64(n) / w.o.Rate * float64(time.Second))
	for _, t := range w.o.Turns {
		if t.Start <= at && at < t.End {
			return t.Speaker
		}
	}
	return ""
}

// rise returns how much more a seat's mouth moves while a speaker speaks than at other times.
func (s seat) rise(speaker string) float64 {
	if s.looks[speaker] == 0 {
		return 0
	}
	others, looks := 0.0, 0
	for who, n := range s.looks {
		if who != speaker {
			others, looks = others+s.talk[who], looks+n
		}
	}
	own := s.talk[speaker] / float64(s.looks[speaker])
	if looks == 0 {
		return own
	}
	return own - others/float64(looks)
}

// leastRise is the least difference in grey levels that says something about who speaks.
const leastRise = 0.3

// voices returns the seat of each speaker whose mouth moves most when they speak. Each seat has one speaker; the clearest is chosen first.
func voices(seats []seat) map[string]int {
	var speakers []string
	for _, s := range seats {
		for who := range s.looks {
			if who != "" && !slices.Contains(speakers, who) {
				speakers = append(speakers, who)
			}
		}
	}
	slices.Sort(speakers)
	of, taken := map[string]int{}, make([]bool, len(seats))
	for range speakers {
		who, best, most := "", -1, leastRise
		for _, name := range speakers {
			if _, done := of[name]; done {
				continue
			}
			for i, s := range seats {
				if rise := s.rise(name); !taken[i] && rise > most {
					who, best, most = name, i, rise
				}
			}
		}
		if best < 0 {
			break
		}
		of[who], taken[best] = best, true
	}
	return of
}
