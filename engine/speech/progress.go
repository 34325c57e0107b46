package speech

import (
	"math"
	"sync"
	"time"
)

// Progress tells how much of the work is done, from 0 to 1 and never less than before, whoever counts it. It is safe for concurrent use.
type Progress struct {
	mu   sync.Mutex
	done float64
	tell func(done float64)
}

// NewProgress tells tell, which may be nil.
func NewProgress(tell func(done float64)) *Progress { return &Progress{tell: tell} }

// Tell says that a fraction is done. What is no number, or less than was told before, is nothing new.
func (p *Progress) Tell(done float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if math.IsNaN(done) || p.tell == nil {
		return
	}
	p.done = max(p.done, min(done, 1))
	p.tell(p.done)
}

// decoding is how much of the work it is to decode the media.
const decoding = 0.1

// partProgress is that of a transcription in parts.
type partProgress struct {
	*Progress

	mu        sync.Mutex
	all, done time.Duration // of the parts
}

// decoded tells how much of the media was decoded; of is 0 when its length isn't known.
func (p *partProgress) decoded(at, of time.Duration) {
	if of > 0 {
		p.Tell(decoding * min(1, float64(at)/float64(of)))
	}
}

// add tells that a part is over.
func (p *partProgress) add(d time.Duration) {
	p.mu.Lock()
	p.done += d
	at := decoding + (1-decoding)*float64(p.done)/float64(max(p.all, p.done, 1))
	p.mu.Unlock()
	p.Tell(at)
}

func (p *partProgress) end() { p.Tell(1) }
