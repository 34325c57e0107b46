package main

import (
	"io"
	"sync"
)

// phases is one progress bar over several phases. Without a terminal it shows nothing.
type phases struct {
	mu           sync.Mutex
	bar          progress
	total        float64 // weight of all phases
	before, part float64 // weights of the phases that have ended, and of the current one
}

// newPhases returns a bar over phases whose weights add up to total.
func newPhases(w io.Writer, total float64) *phases {
	return &phases{bar: newProgress(w, "Starting"), total: total}
}

// begin ends a phase and begins another.
func (p *phases) begin(what string, weight float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.before, p.part = p.before+p.part, weight
	p.bar.describe(what)
	p.bar.set(p.before / p.total)
}

// drop takes phases away that won't come.
func (p *phases) drop(weight float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total -= weight
}

// set shows how much of the phase is done, from 0 to 1.
func (p *phases) set(done float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bar.set((p.before + p.part*done) / p.total)
}

// print calls fn while the bar is out of the way.
func (p *phases) print(fn func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bar.clear()
	fn()
}

// end removes the bar.
func (p *phases) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bar.end()
}
