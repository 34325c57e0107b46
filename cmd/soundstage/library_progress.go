package main

import (
	"io"
	"sync"

	"github.com/soundstage-dev/soundstage/engine"
)

// libraryProgress is a progress bar for several items. Without a terminal it shows nothing.
type libraryProgress struct {
	w io.Writer

	mu        sync.Mutex
	bar       progress
	all, done int
	parts     map[engine.TranscriptID]float64 // of unfinished transcripts, 0 to 1
	listeners map[engine.TranscriptID]func(float64)
}

func newLibraryProgress(w io.Writer) *libraryProgress {
	return &libraryProgress{w: w, parts: map[engine.TranscriptID]float64{}}
}

// start shows the bar.
func (p *libraryProgress) start(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bar = newProgress(p.w, what)
}

// expect adds items.
func (p *libraryProgress) expect(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all += n
	p.show()
}

// transcribing sets the fraction of a transcript that is done.
func (p *libraryProgress) transcribing(id engine.TranscriptID, done float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.parts[id] = done
	p.show()
	if listener := p.listeners[id]; listener != nil {
		listener(done)
	}
}

// listen calls fn with the fraction of a transcript that is done, until stop is called.
func (p *libraryProgress) listen(id engine.TranscriptID, fn func(float64)) (stop func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.listeners == nil {
		p.listeners = map[engine.TranscriptID]func(float64){}
	}
	p.listeners[id] = fn
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.listeners, id)
		delete(p.parts, id)
	}
}

// finish counts an item. id is its transcript, "" for none.
func (p *libraryProgress) finish(id engine.TranscriptID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	delete(p.parts, id)
	p.show()
}

// print calls fn while the bar is out of the way.
func (p *libraryProgress) print(fn func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bar.clear()
	fn()
	p.show()
}

// end removes the bar.
func (p *libraryProgress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bar.end()
	p.bar = progress{}
}

// fraction returns how much is done, from 0 to 1.
func (p *libraryProgress) fraction() float64 {
	done := float64(p.done)
	for _, part := range p.parts {
		done += part
	}
	return min(1, done/max(1, float64(p.all)))
}

func (p *libraryProgress) show() { p.bar.set(p.fraction()) }
