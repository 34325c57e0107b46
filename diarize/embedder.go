package diarize

import (
	"context"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// Embedder tells voices apart: a neural speaker model, for example. With it, groups of windows and the number of speakers
// are found by its vectors; models of the voices found so then say who speaks in each frame.
type Embedder interface {
	// Embed returns the voice in 1.5 s of 16 kHz samples as a vector, of any length but always the same one. The cosine of
	// two vectors is the higher the more alike the voices are: about 0.6 for the same, about 0.1 for others. It is called
	// once for every 0.75 s of audio, in order, whether or not somebody speaks; samples are its own only during the call.
	Embed(ctx context.Context, samples []int16) ([]float32, error)
}

// prints are the embeddings of a recording: number i is that of the frames [75·i, 75·i+150).
type prints struct {
	ctx      context.Context
	embedder Embedder
	pending  []int16
	vectors  [][]float32
}

func newPrints(ctx context.Context, e Embedder) *prints { return &prints{ctx: ctx, embedder: e} }

// hear takes the samples as they are read.
func (p *prints) hear(samples []int16) error {
	if p.embedder == nil {
		return nil
	}
	p.pending = append(p.pending, samples...)
	done := 0
	for ; done+windowFrames*frameStep <= len(p.pending); done += windowStep * frameStep {
		if err := p.embed(p.pending[done : done+windowFrames*frameStep]); err != nil {
			return err
		}
	}
	p.pending = p.pending[:copy(p.pending, p.pending[done:])]
	return nil
}

// flush embeds what is left at the end, if that is at least half a window.
func (p *prints) flush() error {
	if p.embedder == nil || len(p.pending) < windowStep*frameStep {
		return nil
	}
	return p.embed(p.pending)
}

func (p *prints) embed(samples []int16) error {
	if err := p.ctx.Err(); err != nil {
		return err
	}
	v, err := p.embedder.Embed(p.ctx, samples)
	if err != nil {
		return err
	}
	if n := len(p.vectors); len(v) == 0 || n > 0 && len(v) != len(p.vectors[0]) {
		return fault.Errorf(fault.CodeInternal, "Diarize", "The speaker embedder returned vectors of different lengths.")
	}
	p.vectors = append(p.vectors, v)
	return nil
}

// windows returns the windows of a block in which enough is spoken, and their vectors, of unit length.
func (p *prints) windows(f *frames, block span) (windows []span, vectors [][]float64) {
	for i, print := range p.vectors {
		w := span{i * windowStep, min(i*windowStep+windowFrames, f.n)}
		if w.lo < block.lo || w.lo >= block.hi || coreFrames(f, w) < max(windowCore, w.len()/2) {
			continue
		}
		vector := make([]float64, len(print))
		for k, v := range print {
			vector[k] = float64(v)
		}
		unit(vector)
		windows, vectors = append(windows, w), append(vectors, vector)
	}
	return windows, vectors
}
