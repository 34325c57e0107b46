package speech

import (
	"sync"
	"time"
)

// decoding is how much of the work it is to decode the media.
const decoding = 0.1

// progress tells how far a transcription is; what it tells never falls.
type progress struct {
	tell func(float64)

	mu        sync.Mutex
	last      float64
	all, done time.Duration // of the parts
}

// decoded tells how much of the media was decoded; of is 0 when its length isn't known.
func (p *progress) decoded(at, of time.Duration) {
	if of > 0 {
		p.report(decoding * min(1, float64(at)/float64(of)))
	}
}

// add tells that a part is over.
func (p *progress) add(d time.Duration) {
	p.mu.Lock()
	p.done += d
	at := decoding + (1-decoding)*float64(p.done)/float64(max(p.all, p.done, 1))
	p.mu.Unlock()
	p.report(min(at, 1))
}

func (p *progress) end() { p.report(1) }

func (p *progress) report(at float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last = max(p.last, at); p.tell != nil {
		p.tell(p.last)
	}
}
