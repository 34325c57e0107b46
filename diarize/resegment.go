package diarize

import (
	"context"
	"math"
	"slices"
)

const (
	voiceRounds = 2
	voiceParts  = 8    // most components of a voice model …
	voicePer    = 100  // … and frames per component
	voiceRows   = 6000 // most frames to train on
	voiceLeast  = 20
	ghostFrames = 350  // a speaker with less speech than this …
	ghostShare  = 0.03 // … and than this share of all speech is no speaker, unless the number is prescribed
	ghostGrowth = 2.0  // one of several blocks who has this many times as much after the first round isn't one, either
	turnSwitch  = 80.0 // log of the improbability of a speaker change; half of it across a silence
	notAllowed  = 50.0 // the same, of a frame of a speaker whom the embeddings exclude
)

// resegment sets the speaker of every speech frame. Twice, it trains a Gaussian mixture for each speaker on the speaker's
// current frames, and finds the most likely sequence of speakers. It returns the models; that of a speaker without frames is
// nil. Speakers with very little speech are dropped before the last round, unless keep is set: then a speaker who would lose all
// frames keeps the previous ones. Of several blocks, the first round is done again without speakers who grow too much in it.
//
// Music has a model too. Its frames are no speech in the end.
func resegment(ctx context.Context, f *frames, blocks []span, who found, keep bool, done func(share float64)) ([]*mixture, error) {
	speakers := who.speakers
	voices := make([]*mixture, speakers, speakers+1)
	if who.music {
		voices = append(voices, nil)
	}
	before, first := make([]uint8, f.n), true
	for round := 0; round < voiceRounds; round++ {
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
		if !keep && round == voiceRounds-1 {
			f.dropGhosts(voices[:speakers])
		}
		for i, b := range blocks {
			if err := decodeSpeakers(ctx, f, f.runs(b), voices, who.allowed); err != nil {
				return nil, err
			}
			if round == voiceRounds-1 {
				if err := refine(ctx, f, b, speakers, keep); err != nil {
					return nil, err
				}
			}
			collectGarbage(blocks)
			done((float64(round) + float64(i+1)/float64(len(blocks))) / voiceRounds)
		}
		if keep {
			f.keep(before, speakers)
		} else if first && len(blocks) > 1 && f.dropGrown(before, speakers) {
			round = -1
		}
		first = false
	}
	if who.music {
		f.dropMusic(blocks, uint8(speakers))
	}
	return voices[:speakers], nil
}

// dropMusic makes the frames of music no speech, and short speech between them.
func (f *frames) dropMusic(blocks []span, music uint8) {
	const all = isSpeech | isCore
	for i := range f.n {
		if *f.who(i) == music {
			*f.flags(i) &^= all
		}
	}
	for _, b := range blocks {
		for _, r := range f.runs(b) {
			for i := r.lo; i < r.hi && r.len() < dropSpeech; i++ {
				*f.flags(i) &^= all
			}
		}
	}
}

// dropGhosts removes the models of speakers who hardly speak.
func (f *frames) dropGhosts(voices []*mixture) {
	spoken, total := make([]int, len(voices)), 0
	for i := range f.n {
		if who := int(*f.who(i)); f.speech(i) && who < len(voices) {
			spoken[who]++
			total++
		}
	}
	for k, n := range spoken {
		if n < ghostFrames && float64(n) < ghostShare*float64(total) {
			voices[k] = nil
		}
	}
}

// dropGrown restores the previous speakers, without those who now speak several times as much, and says whether there are such: they are
// rarely voices, but what several voices have in common in a part of the recording, such as music.
func (f *frames) dropGrown(before []uint8, speakers int) bool {
	was, now := make([]int, speakers), make([]int, speakers)
	for i, who := range before {
		if int(who) < speakers && f.speech(i) {
			was[who]++
		}
		if who := int(*f.who(i)); who < speakers && f.speech(i) {
			now[who]++
		}
	}
	grown := make([]bool, speakers)
	for k := range grown {
		grown[k] = float64(now[k]) > ghostGrowth*float64(was[k])
	}
	if !slices.Contains(grown, true) {
		return false
	}
	for i, who := range before {
		if int(who) < speakers && grown[who] {
			who = noSpeaker
		}
		*f.who(i) = who
	}
	return true
}

// keep restores the previous speech frames of speakers without a remaining turn.
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

// voice trains the model of a speaker, or returns nil if the speaker has too few frames.
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

// decodeSpeakers sets the most likely sequence of speakers in the runs: the Viterbi algorithm with a penalty for each change
// (Forney, "The Viterbi algorithm", Proc. IEEE 61 (1973)). Frames that are not loud enough are ignored. allowed, if not nil, has the
// allowed speakers of each frame as bits.
func decodeSpeakers(ctx context.Context, f *frames, runs []span, voices []*mixture, allowed []uint64) error {
	k, total := len(voices), 0
	for _, r := range runs {
		total += r.len()
	}
	scores := make([]float64, k)
	entered := make([]uint64, 0, total) // bit j: the best path into j comes from the best state of the previous frame …
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
					continue
				}
				scores[j] += v.score(x[:])
				if allowed != nil && allowed[i]>>j&1 == 0 {
					scores[j] -= notAllowed
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

// highest returns the index of the highest value, the first one on a tie.
func highest(values []float64) int {
	best := 0
	for j, v := range values {
		if v > values[best] {
			best = j
		}
	}
	return best
}
