package diarize

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const leastOverlap = 20 // frames; shorter overlap is dropped

// overlapWeights say how likely a second voice is heard: the log odds are evidence·(log likelihood ratio) + nearness·nearness + bias. More
// odds than least are worth a turn, because a false one costs as much as a missed one.
type overlapWeights struct{ evidence, nearness, bias, least float64 }

// trainedOverlap are the weights that BenchmarkOverlapWeights trains.
var trainedOverlap = overlapWeights{evidence: 1.07, nearness: 5.79, bias: -2.89, least: 1.5}

// addSecondTurns adds a turn where a second voice is likely heard during a turn, except over music.
//
// For each two voices that speak within seconds of each other, it trains a Gaussian mixture of both at once on sums of their spectra, as in
// parallel model combination (Gales & Young, IEEE Trans. Speech and Audio Processing 4 (1996)). The evidence is the log likelihood ratio of
// that model and the better one of the two voices. Most overlap is where speakers change, so the time to the second voice's own turns counts
// too (Otterson & Ostendorf, "Efficient use of overlap information in speaker diarization", ASRU 2007).
func addSecondTurns(ctx context.Context, f *frames, voices []*mixture, turns Turns, w overlapWeights) (Turns, error) {
	if turns.Speakers() < 2 {
		return turns, ctx.Err()
	}
	p := newPairs(f, voices, turns)
	out := slices.Clone(turns)
	for t := range turns {
		second, err := p.second(ctx, t, w)
		if err != nil {
			return nil, err
		}
		out = append(out, second...)
	}
	slices.SortStableFunc(out, func(a, b transcript.Turn) int { return cmp.Compare(a.Start, b.Start) })
	names := map[int]int{}
	for i, t := range out {
		if _, ok := names[t.Speaker]; !ok {
			names[t.Speaker] = len(names)
		}
		out[i].Speaker = names[t.Speaker]
	}
	return out, nil
}

// second returns the turns of second voices during turn t.
func (p *pairs) second(ctx context.Context, t int, w overlapWeights) (Turns, error) {
	s, best, odds := p.turns[t], make([]int, p.turns[t].len()), make([]float64, p.turns[t].len())
	for b := range p.voices {
		evidence, err := p.evidence(ctx, t, b)
		if err != nil {
			return nil, err
		}
		for i, e := range evidence {
			o := float64(w.evidence*e) + float64(w.nearness*p.nearness(t, b, s.lo+i)) + w.bias
			if o > odds[i] && !p.f.bed(s.lo+i) {
				best[i], odds[i] = b, o
			}
		}
	}
	var out Turns
	for i := 0; i < len(odds); {
		lo, sum, peak := i, 0.0, 0.0
		for ; i < len(odds) && odds[i] > 0 && best[i] == best[lo]; i++ {
			sum += odds[i]
			peak = max(peak, odds[i])
		}
		if n := i - lo; n >= leastOverlap && peak > w.least {
			out = append(out, transcript.Turn{
				Start: time.Duration(s.lo+lo) * frameTime, End: time.Duration(s.lo+i) * frameTime, Speaker: best[lo],
				Confidence: math.Round(1000/(1+dsp.Exp(-sum/float64(n)))) / 1000, Second: true,
			})
		}
		i = max(i, lo+1)
	}
	return out, nil
}

// First returns the turns that aren't Second. They don't overlap.
func (t Turns) First() Turns {
	return slices.DeleteFunc(slices.Clone(t), func(t transcript.Turn) bool { return t.Second })
}
