package diarize

import (
	"context"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// Embedder computes embeddings of voices, for example with a neural model. If it is set, its vectors determine the groups of
// windows and the number of speakers. Models of the voices in these groups then determine the speaker of each frame.
type Embedder interface {
	// Embed returns the embedding of 1.5 s of 16 kHz samples, a vector of constant length. The cosine of two vectors
	// measures how alike the voices are: about 0.6 for the same voice and about 0.1 for different ones. Embed is called once
	// for every 0.75 s of audio, in order, with or without speech. It must not keep samples.
	Embed(ctx context.Context, samples []int16) ([]float32, error)
}

// embeddings are the voice embeddings of a recording: number i is that of the frames [75·i, 75·i+150).
type embeddings struct {
	ctx      context.Context
	embedder Embedder
	pending  []int16
	vectors  [][]float32
}

func newEmbeddings(ctx context.Context, e Embedder) *embeddings {
	return &embeddings{ctx: ctx, embedder: e}
}

// write processes samples as they are read.
func (p *embeddings) write(samples []int16) error {
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

// flush embeds the remaining samples, if there is at least half a window.
func (p *embeddings) flush() error {
	if p.embedder == nil || len(p.pending) < windowStep*frameStep {
		return nil
	}
	return p.embed(p.pending)
}

func (p *embeddings) embed(samples []int16) error {
	if err := p.ctx.Err(); err != nil {
		return err
	}
	v, err := p.embedder.Embed(p.ctx, samples)
	if err != nil {
		return err
	}
	if n := len(p.vectors); len(v) == 0 || n > 0 && len(v) != len(p.vectors[0]) {
		return fault.Errorf(fault.CodeInternal, "Diarize", "The speaker embedder returned an empty vector or vectors of different lengths.")
	}
	p.vectors = append(p.vectors, v)
	return nil
}

// windows returns the windows of a block with enough speech, and their vectors, normalised to unit length.
func (p *embeddings) windows(f *frames, block span) (windows []span, vectors [][]float64) {
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
