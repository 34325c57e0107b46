package diarize

import (
	"context"
	"slices"
)

const (
	edgeRounds   = 3
	edgeRows     = 4000  // most frames to train on
	edgeShare    = 0.1   // quiet speech starts at this share of the range above the noise floor …
	quietRange   = 40.0  // … and at most this many dB below the top; breath is quieter
	edgeBias     = 5.0   // log likelihood
	edgeAbove    = 3.0   // dB above the floor of loud noise
	digitalQuiet = -99.0 // dB; below is silence that no microphone recorded
	turnPause    = 5     // frames; from this length on, silence between two speakers isn't speech
)

// refine moves the edges of a block's speech, when its speakers are known. markSpeech marks what is clearly speech, since voices are
// distinguished by that. Here a second detector also accepts quiet syllables, and what it finds is speech where it touches clear speech. It
// learns nothing from digital silence: next to that, the noise of a pause would seem to be speech. New frames get the nearest speaker.
// Short pauses are speech if the same speaker goes on. Over music, nothing changes. If keep is set, a speaker who would lose all speech of
// the block keeps it.
func refine(ctx context.Context, f *frames, block span, speakers int, keep bool) error {
	level, noisy, ok := levelsAt(f, block, edgeShare, digitalQuiet, edgeAbove)
	if !ok {
		return ctx.Err()
	}
	speech := louder(f, block, level)
	d := detector{f, block, level, noisy, digitalQuiet, edgeRows, edgeBias}
	if ok, err := d.detect(ctx, speech, edgeRounds); err != nil || !ok {
		return err
	}
	dropQuiet(f, block, speech)
	found := slices.Clone(speech)
	fillShortRuns(speech, true, fillSilence)
	fillShortRuns(speech, false, dropSpeech)
	for i, s := range found {
		speech[i] = speech[i] && s
	}
	fillPauses(f, block, speech)
	if keep {
		keepSpeakers(f, block, speech, speakers)
	}
	for i := 0; i < len(speech); {
		if !speech[i] {
			*f.flags(block.lo + i) &^= isSpeech | isCore
			i++
			continue
		}
		run := span{block.lo + i, block.lo + i}
		for ; i < len(speech) && speech[i]; i++ {
			run.hi++
		}
		f.extend(run)
	}
	return ctx.Err()
}

// dropQuiet undoes what the second detector changed over music, and the frames that it added far below the loudest nearby.
func dropQuiet(f *frames, block span, speech []bool) {
	all := func(int) bool { return true }
	slide(f, block, 100, floorReach, all, func(piece span, l *levels) {
		least := l.quantile(topShare) - quietRange
		for i := piece.lo; i < piece.hi; i++ {
			if f.bed(i) {
				speech[i-block.lo] = f.speech(i)
			} else if f.level(i) < least && !f.speech(i) {
				speech[i-block.lo] = false
			}
		}
	})
}

// keepSpeakers adds the frames of each speaker who has none in speech.
func keepSpeakers(f *frames, block span, speech []bool, speakers int) {
	left := make([]bool, speakers+1) // music is the last one
	for i, s := range speech {
		if j := block.lo + i; s && f.speech(j) && int(*f.who(j)) <= speakers {
			left[*f.who(j)] = true
		}
	}
	for i := range speech {
		if j := block.lo + i; f.speech(j) && int(*f.who(j)) < speakers && !left[*f.who(j)] {
			speech[i] = true
		}
	}
}

// fillPauses makes a pause speech if it is shorter than turnPause, or than fillSilence within the speech of one speaker.
func fillPauses(f *frames, block span, speech []bool) {
	next := make([]uint8, len(speech)) // the speaker of the first frame from here on that was speech
	who := uint8(noSpeaker)
	for i := len(speech) - 1; i >= 0; i-- {
		if f.speech(block.lo + i) {
			who = *f.who(block.lo + i)
		}
		next[i] = who
	}
	who = noSpeaker       // now of the last one until here …
	before, end := who, 0 // … and of the last one until the end of the speech before the pause
	for i, s := range speech {
		if f.speech(block.lo + i) {
			who = *f.who(block.lo + i)
		}
		if !s {
			continue
		}
		most := turnPause
		if before == next[i] {
			most = fillSilence
		}
		if end > 0 && i-end < most {
			for ; end < i; end++ {
				speech[end] = true
			}
		}
		before, end = who, i+1
	}
}

// extend makes a run speech, if a part of it is, and gives each new frame the speaker of the nearest frame that was.
func (f *frames) extend(run span) {
	last := -1 // the frame before i that was speech
	for i := run.lo; i < run.hi; i++ {
		if !f.speech(i) {
			continue
		}
		from := run.lo
		if last >= 0 {
			from = (last + i + 1) / 2
			f.attach(span{last + 1, from}, *f.who(last))
		}
		f.attach(span{from, i}, *f.who(i))
		last = i
	}
	if last >= 0 {
		f.attach(span{last + 1, run.hi}, *f.who(last))
	}
}

// attach makes frames speech of a speaker.
func (f *frames) attach(s span, who uint8) {
	for i := s.lo; i < s.hi; i++ {
		*f.flags(i) |= isSpeech
		*f.who(i) = who
	}
}
