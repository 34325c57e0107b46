package diarize

import "context"

const (
	speechCoefficients = 13
	speechDim          = 2 * speechCoefficients // and their slopes
	speechParts        = 8                      // components of the model of speech …
	otherParts         = 4                      // … and of everything else
	speechRounds       = 3
	speechTemper       = 0.3  // neighbouring frames are not independent: their log likelihoods count for less
	speechBias         = 2.0  // log likelihood; to lose speech is worse than to keep a pause
	speechSwitch       = 8.0  // log of how unlikely a change between speech and none is
	speechRows         = 8000 // so many frames are enough to train on
	wellBelow          = 10.0 // dB under the level of speech: almost certainly none
	fillSilence        = 25   // frames; a shorter silence inside speech is speech
	dropSpeech         = 15   // frames; shorter speech is none
)

// markSpeech marks the frames of a block that are speech. It learns from the recording itself what speech and the rest
// sound like: levels give a first guess, then in three rounds two Gaussian mixtures are trained on what was held for the
// one and the other, and a two-state Viterbi pass decides anew. This is the scheme of Sohn, Kim & Sung's statistical
// detector (IEEE Signal Processing Letters 6 (1999)) with models that are trained on the spot.
func markSpeech(ctx context.Context, f *frames, block span) error {
	level, ok := speechLevels(f, block)
	if !ok {
		return ctx.Err()
	}
	speech := make([]bool, len(level))
	for i := range speech {
		speech[i] = f.level(block.lo+i) > float64(level[i])
	}
	gain := make([]float32, len(level)) // how much more likely speech is than the rest
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
			if f.level(block.lo+i) < float64(level[i])-wellBelow {
				gain[i] = min(gain[i], -2)
			}
		}
		twoStates(speech, gain)
	}
	mend(speech, true, fillSilence)
	mend(speech, false, dropSpeech)
	for i, s := range speech {
		if s {
			*f.flags(block.lo + i) |= isSpeech
		}
	}
	markCore(f, block)
	return ctx.Err()
}

// speechRow writes what the models of speech see of frame i to x.
func speechRow(x []float64, f *frames, i int, block span) {
	f.cepstrum(x[:speechCoefficients], i)
	f.deltas(x[speechCoefficients:], i, block)
}

// speechModel trains a mixture on the frames that are speech, or on those that are not, or returns nil when there are
// hardly any.
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

// twoStates finds the best sequence of speech and none by the Viterbi algorithm (Forney, "The Viterbi algorithm", Proc. IEEE
// 61 (1973)), with a price for each change.
func twoStates(speech []bool, gain []float32) {
	const fromSpeech, fromNone = 1, 2 // the best way into none, and into speech, is a change
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

// mend makes every run of !value that is shorter than length a run of value. Silence at an end is no pause: it stays.
func mend(flags []bool, value bool, length int) {
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
