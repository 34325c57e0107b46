package diarize

import "context"

const (
	speechCoefficients = 13
	speechDim          = 2 * speechCoefficients // coefficients and their slopes
	speechParts        = 8                      // components of the speech model …
	otherParts         = 4                      // … and of the model of everything else
	speechRounds       = 3
	speechTemper       = 0.3  // scales log likelihoods, because neighbouring frames are not independent
	speechBias         = 2.0  // log likelihood; losing speech is worse than keeping a pause
	speechSwitch       = 8.0  // log of the improbability of a change between speech and non-speech
	speechRows         = 8000 // most frames to train on
	clearlyBelow       = 10.0 // dB below the speech level: almost certainly not speech
	fillSilence        = 25   // frames; a shorter silence within speech is speech
	dropSpeech         = 15   // frames; shorter speech is dropped
)

// markSpeech marks the speech frames of a block. It learns models of speech and non-speech from the recording. Levels give a
// first guess. Then each of three rounds trains two Gaussian mixtures on the current classification, and reclassifies with a
// two-state Viterbi pass. This is the statistical detector of Sohn, Kim & Sung (IEEE Signal Processing Letters 6 (1999))
// with models trained on the recording.
func markSpeech(ctx context.Context, f *frames, block span) error {
	markBed(f, block)
	level, ok := speechLevels(f, block)
	if !ok {
		return ctx.Err()
	}
	speech := make([]bool, len(level))
	for i := range speech {
		speech[i] = f.level(block.lo+i) > float64(level[i])
	}
	gain := make([]float32, len(level)) // log likelihood ratio of speech and non-speech
	for range speechRounds {
		talk, err := speechModel(ctx, f, block, speech, true, speechParts)
		if err != nil {
			return err
		}
		rest, err := speechModel(ctx, f, block, speech, false, otherParts)
		if err != nil {
			return err
		}
		if talk == nil || rest == nil {
			break
		}
		x := make([]float64, speechDim)
		for i := range gain {
			if i%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			speechRow(x, f, block.lo+i, block)
			gain[i] = float32(speechTemper * (talk.score(x) - rest.score(x) + speechBias))
			if f.level(block.lo+i) < float64(level[i])-clearlyBelow {
				gain[i] = min(gain[i], -2)
			}
		}
		viterbiSpeech(speech, gain)
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

// speechRow writes the features of frame i for the speech models to x.
func speechRow(x []float64, f *frames, i int, block span) {
	f.cepstrum(x[:speechCoefficients], i)
	f.deltas(x[speechCoefficients:], i, block)
}

// speechModel trains a mixture on the frames whose class is want, or returns nil if there are too few.
func speechModel(ctx context.Context, f *frames, block span, speech []bool, want bool, parts int) (*mixture, error) {
	n := 0
	for _, s := range speech {
		if s == want {
			n++
		}
	}
	if n < 4*speechDim {
		return nil, nil
	}
	stride := (n + speechRows - 1) / speechRows
	rows := make([]float64, 0, (n/stride+1)*speechDim)
	seen := 0
	for i, s := range speech {
		if s != want {
			continue
		}
		if seen%stride == 0 {
			rows = rows[:len(rows)+speechDim]
			speechRow(rows[len(rows)-speechDim:], f, block.lo+i, block)
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
