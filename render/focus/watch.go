package focus

import (
	"slices"
	"time"
)

// Options describe the frames and the crop.
type Options struct {
	Width, Height int     // of the grey frames, in pixels
	Rate          float64 // frames per second
	Vertical      bool    // the crop moves up and down, not left and right
	Share         float64 // of the width, or if Vertical of the height, that the crop shows: 0 to 1
	Half          float64 // width divided by height of each of two crops, for Path.Pairs
	Pairs         bool    // two crops may show two people
	Turns         []Turn  // who speaks when, sorted; may be empty
}

// Turn is a time in which somebody speaks, from the first frame.
type Turn struct {
	Speaker    string
	Start, End time.Duration
}

// A Watcher looks at faces looksPerSecond times per second. Most looks only search near the faces of the last look, which takes a twentieth
// of the time. The whole picture is searched when a shot begins, then once per wholeLooks looks, or without a face once per emptyLooks.
const (
	looksPerSecond = 5
	wholeLooks     = 5
	emptyLooks     = 2
)

// Watcher measures frames. Create it with New, and call Frame for each frame.
type Watcher struct {
	o       Options
	every   int // frames from one look to the next
	n       int // frames seen
	shots   []shot
	cut     cutter
	last    []byte // the frame of the last look
	picture picture
}

// shot is a part of the video between two shot changes.
type shot struct {
	from, to  int      // frames; to is after the last one
	people    []person // by their first appearance
	salient   []float64
	unscanned int // looks since the whole picture was searched
}

// New returns a Watcher. The error is that of a damaged program: its cascade can't be unpacked.
func New(o Options) (*Watcher, error) {
	c, err := cascade()
	if err != nil {
		return nil, err
	}
	return &Watcher{
		o: o, every: max(1, int(o.Rate/looksPerSecond+0.5)),
		cut: cutter{width: o.Width, height: o.Height}, picture: picture{cascade: c, width: o.Width, height: o.Height},
	}, nil
}

// Frame measures the next frame: Width × Height bytes, row by row. It keeps no reference to them.
func (w *Watcher) Frame(pix []byte) {
	changed := w.cut.changes(pix)
	if w.n == 0 || changed && float64(w.n-w.shots[len(w.shots)-1].from) > 0.4*w.o.Rate {
		w.shots = append(w.shots, shot{from: w.n})
		w.last = nil
	}
	s := &w.shots[len(w.shots)-1]
	if (w.n-s.from)%w.every == 0 {
		s.weigh(w.o, pix, w.last)
		w.look(s, pix)
		w.last = append(w.last[:0], pix...)
	}
	w.n++
	s.to = w.n
}

// look finds the faces in a frame and adds them to the people of the shot.
func (w *Watcher) look(s *shot, pix []byte) {
	w.picture.fill(pix)
	due := wholeLooks
	if !slices.ContainsFunc(s.people, func(p person) bool { return w.n-p.lastSeen() <= w.every }) {
		due = emptyLooks
	}
	var found []face
	if s.unscanned++; w.n == s.from || s.unscanned >= due {
		found, s.unscanned = w.picture.faces(), 0
	}
	s.link(w.n, w.every, found, w.picture.near)
	for i := range s.people {
		if p := &s.people[i]; p.lastSeen() == w.n && len(p.seen) > 1 && w.last != nil {
			now, before := p.seen[len(p.seen)-1], p.seen[len(p.seen)-2]
			if now.n-before.n == w.every {
				p.seen[len(p.seen)-1].talk = talk(pix, w.last, w.o.Width, w.o.Height, now.face, before.face)
			}
		}
	}
}

// cutter finds shot changes: frames that differ from the one before much more than the frames before did.
type cutter struct {
	width, height int
	before        []float64 // mean of each block of the last frame
	usual         float64   // running mean of the differences
}

const (
	blockColumns, blockRows = 16, 9
	leastChange             = 10.  // of 255, mean of all blocks
	blockChange             = 25.  // of 255, of a block that shows something else
	leastBlocks             = 0.12 // share of such blocks: somebody is suddenly elsewhere in front of the same wall
	usualChanges            = 5.   // times what is usual
)

func (c *cutter) changes(pix []byte) bool {
	now := blocks(pix, c.width, c.height)
	before := c.before
	if c.before = now; before == nil {
		return false
	}
	sum, others := 0.0, 0.0
	for i, v := range now {
		d := max(v-before[i], before[i]-v)
		if sum += d; d > blockChange {
			others++
		}
	}
	change := sum / float64(len(now))
	cut := (change > leastChange || others/float64(len(now)) > leastBlocks) && change > usualChanges*c.usual
	if !cut {
		c.usual += (change - c.usual) / 8
	}
	return cut
}

// blocks returns the mean of each block of a frame. It reads every second pixel of every second row.
func blocks(pix []byte, width, height int) []float64 {
	var sums, counts [blockColumns * blockRows]float64
	for y := 0; y < height; y += 2 {
		row := y * blockRows / height * blockColumns
		for x := 0; x < width; x += 2 {
			i := row + x*blockColumns/width
			sums[i] += float64(pix[y*width+x])
			counts[i]++
		}
	}
	means := make([]float64, len(sums))
	for i := range sums {
		if counts[i] > 0 {
			means[i] = sums[i] / counts[i]
		}
	}
	return means
}
