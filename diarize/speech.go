package diarize

import (
	"context"
	"math"
)

const (
	speechCoefficients = 13
	speechDim          = 2 * speechCoefficients // coefficients and their slopes
	speechParts        = 8                      // components of the speech model …
	otherParts         = 4                      // … and of the model of everything else
	speechRounds       = 3
	speechTemper       = 0.3  // scales log likelihoods, because neighbouring frames are not independent
	speechBias         = 2.0  // log likelihood; losing speech is worse than keeping a pause
	noisyBias          = 4.0  // is added where noise hides quiet speech …
	mostlyNoisy        = 0.5  // … and where it hides more than this, only frames above their level train the model of speech
	speechSwitch       = 8.0  // log of the improbability of a change between speech and non-speech
	speechRows         = 8000 // most frames to train on
	clearlyBelow       = 10.0 // dB below the speech level: almost certainly not speech
	fillSilence        = 25   // frames; a shorter silence within speech is speech
	dropSpeech         = 15   // frames; shorter speech is dropped
)

// markSpeech marks the speech frames of a block. Levels give a first guess, and a detector a better one.
func markSpeech(ctx context.Context, f *frames, block span) error {
	markBed(f, block)
	level, ok := speechLevels(f, block)
	if !ok {
		return ctx.Err()
	}
	speech := louder(f, block, level)
	d := detector{f, block, level, make([]float32, len(level)), math.Inf(-1), speechRows, speechBias}
	if _, err := d.detect(ctx, speech, speechRounds); err != nil {
		return err
	}
	fillShortRuns(speech, true, fillSilence)
	fillShortRuns(speech, false, dropSpeech)
	for i, s := range speech {
		if s {
			*f.flags(block.lo + i) |= isSpeech
		}
	}
	markCore(f, block)
	return ctx.Err()
}

// louder returns which frames of a block are above their level.
func louder(f *frames, block span, level []float32) []bool {
	speech := make([]bool, len(level))
	for i := range speech {
		speech[i] = f.level(block.lo+i) > float64(level[i])
	}
	return speech
}

// detector finds the speech of a block by models of speech and non-speech, which it learns from the block. This is the statistical
// detector of Sohn, Kim & Sung (IEEE Signal Processing Letters 6 (1999)) with models trained on the recording.
type detector struct {
	f     *frames
	block span
	level []float32 // of each frame; what is clearly below isn't speech
	noisy []float32 // how much noise hides at each frame, from 0 to 1
	floor float64   // dB; frames at most as loud aren't speech, and no model is trained on them
	rows  int       // most frames to train a model on
	bias  float64   // log likelihood
}

// detect improves a first guess. Each round trains two Gaussian mixtures on the current classification, and reclassifies with a
// two-state Viterbi pass. ok is false if there are too few frames of either class.
func (d *detector) detect(ctx context.Context, speech []bool, rounds int) (ok bool, err error) {
	f, block := d.f, d.block
	gain := make([]float32, len(speech)) // log likelihood ratio of speech and non-speech
	for range rounds {
		talk, err := d.model(ctx, speech, true, speechParts)
		if err != nil {
			return false, err
		}
		rest, err := d.model(ctx, speech, false, otherParts)
		if err != nil {
			return false, err
		}
		if talk == nil || rest == nil {
			break
		}
		x := make([]float64, speechDim)
		for i := range gain {
			if i%1024 == 0 && ctx.Err() != nil {
				return false, ctx.Err()
			}
			speechRow(x, f, block.lo+i, block)
			bias := d.bias + float64(noisyBias*d.noisy[i])
			gain[i] = float32(speechTemper * (talk.score(x) - rest.score(x) + bias))
			if l := f.level(block.lo + i); l < float64(d.level[i])-clearlyBelow || l <= d.floor {
				gain[i] = min(gain[i], -2)
			}
		}
		viterbiSpeech(speech, gain)
		ok = true
	}
	return ok, nil
}

// speechRow writes the features of frame i for the speech models to x.
func speechRow(x []float64, f *frames, i int, block span) {
	f.cepstrum(x[:speechCoefficients], i)
	f.deltas(x[speechCoefficients:], i, block)
}

// model trains a mixture on the frames whose class is want, or returns nil if there are too few. Where noise hides speech, frames below
// their level train no model of speech: once it knew the noise of pauses, each round would find more of them to be speech.
func (d *detector) model(ctx context.Context, speech []bool, want bool, parts int) (*mixture, error) {
	use := func(i int) bool {
		level := d.f.level(d.block.lo + i)
		hidden := want && d.noisy[i] > mostlyNoisy && level <= float64(d.level[i])
		return speech[i] == want && level > d.floor && !hidden
	}
	n := 0
	for i := range speech {
		if use(i) {
			n++
		}
	}
	if n < 4*speechDim {
		return nil, nil
	}
	stride := (n + d.rows - 1) / d.rows
	rows := make([]float64, 0, (n/stride+1)*speechDim)
	seen := 0
	for i := range speech {
		if !use(i) {
			continue
		}
		if seen%stride == 0 {
			rows = rows[:len(rows)+speechDim]
			speechRow(rows[len(rows)-speechDim:], d.f, d.block.lo+i, d.block)
		}
		seen++
	}
	return train(ctx, rows, speechDim, parts)
}

// viterbiSpeech finds the best sequence of speech and non-speech by the Viterbi algorithm (Forney, "The Viterbi algorithm",
// Proc. IEEE 61 (1973)), with a penalty for each change.
func viterbiSpeech(speech []bool, gain []float32) {
	const fromSpeech, fromNone = 1, 2 // the best path into non-speech, and into speech, is a change
	came := make([]uint8, len(gain))
	var none, talk float64
	for i, g := range gain {
		before := none
		if talk-speechSwitch > none {
			came[i] |= fromSpeech
			none = talk - speechSwitch
		}
		if before-speechSwitch > talk {
			came[i] |= fromNone
			talk = before - speechSwitch
		}
		talk += float64(g)
	}
	state := talk > none
	for i := len(gain) - 1; i >= 0; i-- {
		speech[i] = state
		if state && came[i]&fromNone != 0 || !state && came[i]&fromSpeech != 0 {
			state = !state
		}
	}
}

// fillShortRuns sets runs of !value shorter than length to value. Silence at either end is not a pause and stays.
func fillShortRuns(flags []bool, value bool, length int) {
	start := 0
	for i := 1; i <= len(flags); i++ {
		if i < len(flags) && flags[i] == flags[i-1] {
			continue
		}
		inside := start > 0 && i < len(flags) || !value
		if flags[start] != value && i-start < length && inside {
			for j := start; j < i; j++ {
				flags[j] = value
			}
		}
		start = i
	}
}
