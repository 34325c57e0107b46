package diarize

import (
	"context"
	"math"
)

const (
	voiceRounds = 2
	voiceParts  = 8    // components of the model of a voice, at most …
	voicePer    = 100  // … and one for this many frames
	voiceRows   = 6000 // so many frames are enough to train on
	voiceLeast  = 20
	turnSwitch  = 80.0 // log of how unlikely a change of speaker is; half of it across a silence
)

// resegment says for every frame of speech who speaks in it: it trains a Gaussian mixture for each speaker on the frames that
// are theirs so far, finds the most likely sequence of speakers, and does both again. It returns the models; that of a
// speaker of whom nothing is left is nil. Where all are to be kept, one of whom nothing would be left has what was theirs before.
func resegment(ctx context.Context, f *frames, blocks []span, speakers int, keep bool, done func(share float64)) ([]*mixture, error) {
	voices := make([]*mixture, speakers)
	var before []uint8
	if keep {
		before = make([]uint8, f.n)
	}
	for round := range voiceRounds {
		for i := range before {
			before[i] = *f.who(i)
		}
		for k := range voices {
			v, err := voice(ctx, f, uint8(k))
			if err != nil {
				return nil, err
			}
			voices[k] = v
		}
		for i, b := range blocks {
			if err := decode(ctx, f, f.runs(b), voices); err != nil {
				return nil, err
			}
			tidy(blocks)
			done((float64(round) + float64(i+1)/float64(len(blocks))) / voiceRounds)
		}
		if keep {
			f.keep(before, speakers)
		}
	}
	return voices, nil
}

// keep gives speakers of whom no turn would be left the frames of speech back that were theirs before.
func (f *frames) keep(before []uint8, speakers int) {
	left := make([]bool, speakers)
	for _, run := range f.runs(span{0, f.n}) {
		for _, piece := range smooth(f, run) {
			if who := *f.who(piece.lo); int(who) < speakers {
				left[who] = true
			}
		}
	}
	for i, who := range before {
		if f.speech(i) && int(who) < speakers && !left[who] {
			*f.who(i) = who
		}
	}
}

// voice trains the model of a speaker, or returns nil when there are hardly any frames of them.
func voice(ctx context.Context, f *frames, who uint8) (*mixture, error) {
	own := func(i int) bool { return *f.who(i) == who && f.core(i) }
	n := 0
	for i := range f.n {
		if own(i) {
			n++
		}
	}
	if n < voiceLeast {
		return nil, ctx.Err()
	}
	stride := (n + voiceRows - 1) / voiceRows
	rows := make([]float64, 0, (n/stride+1)*coefficients)
	seen := 0
	for i := range f.n {
		if !own(i) {
			continue
		}
		if seen%stride == 0 {
			rows = rows[:len(rows)+coefficients]
			f.cepstrum(rows[len(rows)-coefficients:], i)
		}
		seen++
	}
	return train(ctx, rows, coefficients, min(voiceParts, max(1, n/voicePer)))
}

// decode gives the frames of the runs the most likely sequence of speakers: the Viterbi algorithm with a price for each
// change (Forney, "The Viterbi algorithm", Proc. IEEE 61 (1973)). Frames that are not loud enough have no say.
func decode(ctx context.Context, f *frames, runs []span, voices []*mixture) error {
	k, total := len(voices), 0
	for _, r := range runs {
		total += r.len()
	}
	scores := make([]float64, k)
	entered := make([]uint64, 0, total) // bit j: the best way into j comes from the best state of the frame before …
	bests := make([]uint8, 0, total)    // … which is this one
	var x [coefficients]float64
	for r, run := range runs {
		for i := run.lo; i < run.hi; i++ {
			if i%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			price := turnSwitch
			if i == run.lo && r > 0 {
				price /= 2
			}
			best := highest(scores)
			leave := scores[best] - price
			var mask uint64
			for j, s := range scores {
				if leave > s {
					scores[j] = leave
					mask |= 1 << j
				}
			}
			entered, bests = append(entered, mask), append(bests, uint8(best))
			if !f.core(i) {
				continue
			}
			f.cepstrum(x[:], i)
			for j, v := range voices {
				if v == nil {
					scores[j] = math.Inf(-1)
				} else {
					scores[j] += v.score(x[:])
				}
			}
		}
	}
	state, t := highest(scores), total
	for r := len(runs) - 1; r >= 0; r-- {
		for i := runs[r].hi - 1; i >= runs[r].lo; i-- {
			t--
			*f.who(i) = uint8(state)
			if entered[t]>>state&1 == 1 {
				state = int(bests[t])
			}
		}
	}
	return ctx.Err()
}

// highest returns the index of the highest value, the first of equals.
func highest(values []float64) int {
	best := 0
	for j, v := range values {
		if v > values[best] {
			best = j
		}
	}
	return best
}
