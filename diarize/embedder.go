package diarize

import (
	"context"
	"math"
	"slices"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
	"github.com/soundstage-dev/soundstage/engine/fault"
)

// Embedder computes embeddings of voices, for example with a neural model (package diarize/onnx). If it is set, its vectors
// determine the groups of windows, the number of speakers, and the speaker of each frame, except where two windows of different
// speakers overlap: there, models of the voices find the frame at which the speaker changes.
type Embedder interface {
	// Embed returns the embeddings of windows, one vector of constant length for each. A window has 1.5 s of 16 kHz samples; the
	// last one of a recording has at least 0.75 s. The cosine of two vectors measures how alike the voices are. Its scale is free:
	// it is compared with the cosine of neighbouring windows. Embed gets only windows with speech, every 0.75 s, in order, at most
	// MaxBatch at once. It must not keep samples.
	Embed(ctx context.Context, windows [][]int16) ([][]float32, error)
}

// MaxBatch is the largest number of windows in a call of Embedder.Embed.
const MaxBatch = 32

const (
	embedLeast  = windowStep // frames; the last window isn't shorter
	embedSpeech = 1.0 / 3    // share of a window's frames that must be loud enough for speech
	embedCore   = 3          // least share of frames that identify a voice, for a window to be clustered: 1 of this many
	leastSame   = 0.1        // cosine of neighbouring windows; with less, vectors carry no information
	usualSame   = 0.6        // the same, where there are no neighbours
)

// embeddings are the voice embeddings of a recording. Number i of all windows covers the frames [75·i, 75·i+150).
type embeddings struct {
	ctx      context.Context
	embedder Embedder
	next     int     // number of the next window
	pending  []int16 // samples from its start on
	batch    [][]int16
	spans    []span      // of all windows that were embedded or are in the batch
	vectors  [][]float32 // of those that were embedded
	factor   float64     // of vectors with unit length, so that neighbours have a dot product of 1
}

func newEmbeddings(ctx context.Context, e Embedder) *embeddings {
	return &embeddings{ctx: ctx, embedder: e}
}

// write processes samples as they are read; f has the frames up to about their end. A window waits until the frames are known from
// which the noise floor is measured.
func (p *embeddings) write(samples []int16, f *frames) error {
	if p.embedder == nil {
		return nil
	}
	p.pending = append(p.pending, samples...)
	used := 0
	for w := p.window(); w.hi+floorReach <= f.n; w = p.window() {
		if err := p.add(f, w, p.pending[used:][:windowFrames*frameStep]); err != nil {
			return err
		}
		used += windowStep * frameStep
	}
	p.pending = p.pending[:copy(p.pending, p.pending[used:])]
	return nil
}

// flush embeds the remaining samples.
func (p *embeddings) flush(f *frames) error {
	if p.embedder == nil {
		return nil
	}
	left := p.pending
	for w := p.window(); w.lo+embedLeast <= f.n; w = p.window() {
		w.hi = min(w.hi, f.n)
		if err := p.add(f, w, left[:min(windowFrames*frameStep, len(left))]); err != nil {
			return err
		}
		left = left[min(windowStep*frameStep, len(left)):]
	}
	if err := p.embed(); err != nil {
		return err
	}
	p.factor = 1 / math.Sqrt(max(p.same(), leastSame))
	return nil
}

// window returns the next window.
func (p *embeddings) window() span {
	return span{p.next * windowStep, p.next*windowStep + windowFrames}
}

// add adds the next window to the batch, if it is loud enough for speech.
func (p *embeddings) add(f *frames, w span, samples []int16) error {
	if err := p.ctx.Err(); err != nil {
		return err
	}
	p.next++
	around := span{max(w.lo-floorReach, 0), min(w.hi+floorReach, f.n)}
	level, _ := speechLevels(f, around)
	n := 0
	for i := w.lo; i < w.hi; i++ {
		if f.level(i) > float64(level[i-around.lo]) {
			n++
		}
	}
	if float64(n) < embedSpeech*float64(w.len()) {
		return nil
	}
	p.batch, p.spans = append(p.batch, slices.Clone(samples)), append(p.spans, w)
	if len(p.batch) == MaxBatch {
		return p.embed()
	}
	return nil
}

// embed embeds the batch.
func (p *embeddings) embed() error {
	if len(p.batch) == 0 {
		return nil
	}
	const op = "Diarize"
	vectors, err := p.embedder.Embed(p.ctx, p.batch)
	if err != nil {
		return err
	}
	if len(vectors) != len(p.batch) {
		return fault.Errorf(fault.CodeInternal, op, "The speaker embedder returned %d vectors for %d windows.", len(vectors), len(p.batch))
	}
	for _, v := range vectors {
		if len(v) == 0 || len(p.vectors) > 0 && len(v) != len(p.vectors[0]) {
			return fault.Errorf(fault.CodeInternal, op, "The speaker embedder returned an empty vector or vectors of different lengths.")
		}
		if slices.ContainsFunc(v, func(x float32) bool { return math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) }) {
			return fault.Errorf(fault.CodeInternal, op, "The speaker embedder returned a vector with a number that is not finite.")
		}
		p.vectors = append(p.vectors, v)
	}
	p.batch = p.batch[:0]
	return nil
}

// same returns the median cosine of a window and the one that starts at its end. Most such pairs have the same voice.
func (p *embeddings) same() float64 {
	var cosines []float64
	for i, s := range p.spans {
		for j := i + 1; j < len(p.spans) && p.spans[j].lo <= s.hi; j++ {
			if p.spans[j].lo == s.hi {
				cosines = append(cosines, dsp.Dot(scaled(p.vectors[i], 1), scaled(p.vectors[j], 1)))
			}
		}
	}
	if len(cosines) == 0 {
		return usualSame
	}
	slices.Sort(cosines)
	return cosines[len(cosines)/2]
}

// scaled returns v with the given length, unless it is zero.
func scaled(v []float32, length float64) []float64 {
	out := make([]float64, len(v))
	for k, x := range v {
		out[k] = float64(x)
	}
	unit(out)
	for k := range out {
		out[k] *= length
	}
	return out
}

// windows returns the windows of a block with enough speech, and their vectors.
func (p *embeddings) windows(f *frames, block span) (windows []span, vectors [][]float64) {
	for i, w := range p.spans {
		if w.lo < block.lo || w.lo >= block.hi || coreFrames(f, w) < max(windowCore, w.len()/embedCore) {
			continue
		}
		windows, vectors = append(windows, w), append(vectors, scaled(p.vectors[i], p.factor))
	}
	return windows, vectors
}
