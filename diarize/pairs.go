package diarize

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
)

const (
	pairRows  = 3000 // sums of frames to train the model of two voices at once …
	pairParts = 8    // … and its components
	pairReach = 25   // frames; the evidence of a frame is the mean over the 0.25 s before and after …
	pairLeast = 5    // … divided by at least this many loud frames
	pairClip  = 8.0  // most evidence of one frame, in nats
	pairNear  = 100  // frames; after this time without the second voice, nearness falls to 1/e …
	pairFar   = 1000 // … and after this time it isn't looked for
)

// pairs says how much a frame sounds like two voices at once.
type pairs struct {
	f      *frames
	voices []*mixture // by speaker
	turns  []span
	who    []int        // the speaker of each turn
	ends   [][]int      // the last end of each speaker's turns up to a turn; far away if there is none
	starts [][]int      // the next start of each speaker's turns after it
	loud   [][]int      // frames of each speaker that identify the voice
	models [][]*mixture // of speakers a > b at models[a][b], when they are needed
	dct    *dsp.DCT
}

func newPairs(f *frames, voices []*mixture, turns Turns) *pairs {
	const never = math.MaxInt / 2
	k := turns.Speakers()
	p := &pairs{f: f, voices: make([]*mixture, k), ends: make([][]int, len(turns)), starts: make([][]int, len(turns)),
		models: make([][]*mixture, k), dct: dsp.NewDCT(melFilters, coefficients)}
	for a := range p.models {
		p.models[a] = make([]*mixture, a)
	}
	last, next := slices.Repeat([]int{-never}, k), slices.Repeat([]int{never}, k)
	for i, t := range turns {
		s := span{int(t.Start / frameTime), int(t.End / frameTime)}
		p.turns, p.who = append(p.turns, s), append(p.who, t.Speaker)
		if model := int(*f.who(s.lo)); model < len(voices) {
			p.voices[t.Speaker] = voices[model]
		}
		last[t.Speaker] = s.hi
		p.ends[i] = slices.Clone(last)
	}
	for i := len(turns) - 1; i >= 0; i-- {
		p.starts[i] = slices.Clone(next)
		next[p.who[i]] = p.turns[i].lo
	}
	p.loud = p.loudFrames()
	return p
}

// nearness is 1 in a frame next to a turn of speaker b, and falls with the time to it.
func (p *pairs) nearness(t, b, frame int) float64 {
	return dsp.Exp(-float64(min(frame-p.ends[t][b]+1, p.starts[t][b]-frame, pairFar)) / pairNear)
}

// evidence returns the evidence that b is heard too, for each frame of turn t; nil if b has no turn nearby.
func (p *pairs) evidence(ctx context.Context, t, b int) ([]float64, error) {
	a, s := p.who[t], p.turns[t]
	if a == b || p.voices[a] == nil || p.voices[b] == nil || min(s.lo-p.ends[t][b], p.starts[t][b]-s.hi) >= pairFar {
		return nil, ctx.Err()
	}
	both, err := p.model(ctx, max(a, b), min(a, b))
	if both == nil {
		return nil, err
	}
	within := span{max(0, s.lo-pairReach), min(p.f.n, s.hi+pairReach)}
	sums, counts := make([]float64, within.len()+1), make([]int, within.len()+1) // up to a frame
	var x [coefficients]float64
	for i := within.lo; i < within.hi; i++ {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		n := i - within.lo
		sums[n+1], counts[n+1] = sums[n], counts[n]
		if p.f.core(i) {
			p.f.cepstrum(x[:], i)
			ratio := both.score(x[:]) - max(p.voices[a].score(x[:]), p.voices[b].score(x[:]))
			sums[n+1] += min(max(ratio, -pairClip), pairClip)
			counts[n+1]++
		}
	}
	out := make([]float64, s.len())
	for i := range out {
		lo, hi := max(0, s.lo+i-pairReach-within.lo), min(within.len(), s.lo+i+pairReach+1-within.lo)
		out[i] = (sums[hi] - sums[lo]) / float64(max(counts[hi]-counts[lo], pairLeast))
	}
	return out, nil
}

// model returns the model of two voices at once, or nil if one has hardly any loud frames.
func (p *pairs) model(ctx context.Context, a, b int) (*mixture, error) {
	if p.models[a][b] != nil {
		return p.models[a][b], nil
	}
	one, other := p.loud[a], p.loud[b]
	if len(one) < voiceLeast || len(other) < voiceLeast {
		return nil, ctx.Err()
	}
	rng := rand.New(rand.NewPCG(uint64(a), uint64(b)))
	rows := make([]float64, 0, pairRows*coefficients)
	var x, y [coefficients]float64
	var u, v [melFilters]float64
	for range pairRows {
		p.f.cepstrum(x[:], one[rng.IntN(len(one))])
		p.f.cepstrum(y[:], other[rng.IntN(len(other))])
		p.dct.Inverse(u[:], x[:])
		p.dct.Inverse(v[:], y[:])
		for i := range u {
			high, low := max(u[i], v[i]), min(u[i], v[i])
			u[i] = high + dsp.Log(1+dsp.Exp(low-high)) // energies add up
		}
		p.dct.Apply(x[:], u[:])
		rows = append(rows, x[:]...)
	}
	m, err := train(ctx, rows, coefficients, pairParts)
	p.models[a][b] = m
	return m, err
}

// loudFrames returns, for each speaker, frames that identify the voice: at most about voiceRows.
func (p *pairs) loudFrames() [][]int {
	out, total, seen := make([][]int, len(p.voices)), make([]int, len(p.voices)), make([]int, len(p.voices))
	for t, s := range p.turns {
		total[p.who[t]] += s.len()
	}
	for t, s := range p.turns {
		who := p.who[t]
		for i := s.lo; i < s.hi; i++ {
			if !p.f.core(i) {
				continue
			}
			if seen[who]%(total[who]/voiceRows+1) == 0 {
				out[who] = append(out[who], i)
			}
			seen[who]++
		}
	}
	return out
}
