package speech

import (
	"math"
	"sync"
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
