package speech

import (
	"math"
	"sync"
	"time"
)

// Progress reports the fraction of finished work, from 0 to 1, never decreasing. It is safe for concurrent use.
type Progress struct {
	mu   sync.Mutex
	done float64
	tell func(done float64)
}

// NewProgress returns a Progress that calls tell, which may be nil.
func NewProgress(tell func(done float64)) *Progress { return &Progress{tell: tell} }

// Report reports a fraction. It ignores NaN and values below the last one.
func (p *Progress) Report(done float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if math.IsNaN(done) || p.tell == nil {
		return
	}
	p.done = max(p.done, min(done, 1))
	p.tell(p.done)
}

// decoding is the share of the progress for decoding the media.
const decoding = 0.1

// partProgress is the Progress of a transcription in parts.
type partProgress struct {
	*Progress

	mu        sync.Mutex
	all, done time.Duration // of the parts
}

// decoded reports how much of the media is decoded; of is 0 if its length is unknown.
func (p *partProgress) decoded(at, of time.Duration) {
	if of > 0 {
		p.Report(decoding * min(1, float64(at)/float64(of)))
	}
}

// add reports that a part is finished.
func (p *partProgress) add(d time.Duration) {
	p.mu.Lock()
	p.done += d
	at := decoding + (1-decoding)*float64(p.done)/float64(max(p.all, p.done, 1))
	p.mu.Unlock()
	p.Report(at)
}

func (p *partProgress) end() { p.Report(1) }
