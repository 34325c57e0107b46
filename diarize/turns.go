package diarize

import (
	"context"
	"math"
	"time"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const (
	frameTime  = 10 * time.Millisecond
	shortTurn  = 20  // frames; a shorter interruption within one speaker's speech is dropped
	soloMargin = 3.0 // confidence margin of an only speaker, in nats
	sureFrames = 50  // a turn with fewer loud frames is less certain
)

// makeTurns converts the speakers of frames into turns. It drops interruptions under 0.2 s and numbers speakers in order of
// appearance. A turn's confidence is σ(m·min(1, n/50)) for n loud frames. m is the mean log likelihood ratio of its
// speaker's model and the best other model of the same channel over these frames.
func makeTurns(ctx context.Context, f *frames, voices []*mixture) (Turns, error) {
	turns, names := Turns{}, map[uint8]int{}
	for _, run := range f.runs(span{0, f.n}) {
		for _, piece := range smooth(f, run) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			who := *f.who(piece.lo)
			if _, ok := names[who]; !ok {
				names[who] = len(names)
			}
			turns = append(turns, transcript.Turn{
				Start: time.Duration(piece.lo) * frameTime, End: time.Duration(piece.hi) * frameTime,
				Speaker: names[who], Confidence: confidence(f, piece, voices),
			})
		}
	}
	return turns, nil
}

// smooth splits a run of speech into pieces with one speaker each.
func smooth(f *frames, run span) []span {
	var pieces []span
	for i := run.lo; i < run.hi; {
		lo, who := i, *f.who(i)
		for i < run.hi && *f.who(i) == who {
			i++
		}
		n := len(pieces)
		if n > 1 && pieces[n-1].len() < shortTurn && *f.who(pieces[n-2].lo) == who {
			pieces[n-2].hi = i
			pieces = pieces[:n-1]
			continue
		}
		pieces = append(pieces, span{lo, i})
	}
	return pieces
}

func confidence(f *frames, piece span, voices []*mixture) float64 {
	who, n, sum := int(*f.who(piece.lo)), 0, 0.0
	var x [coefficients]float64
	for i := piece.lo; i < piece.hi; i += 2 {
		if !f.core(i) {
			continue
		}
		f.cepstrum(x[:], i)
		own, other := 0.0, math.Inf(-1)
		for j, v := range voices {
			if v == nil || (j < f.first) != (who < f.first) {
				continue
			}
			if s := v.score(x[:]); j == who {
				own = s
			} else {
				other = max(other, s)
			}
		}
		n++
		if math.IsInf(other, -1) {
			sum += soloMargin
		} else {
			sum += own - other
		}
	}
	if n == 0 {
		return 0.5
	}
	margin := sum / float64(n) * min(1, float64(2*n)/sureFrames)
	return math.Round(1000/(1+dsp.Exp(-margin))) / 1000
}
