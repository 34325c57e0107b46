package diarize

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const (
	minorityShare = 0.3                     // most of a sentence's speech that can be attributed to another speaker by mistake
	minorityPause = 300 * time.Millisecond  // a pause sets off an interjection, not a mistake
	sentencePause = 1500 * time.Millisecond // a longer pause ends a sentence without a full stop
	sentenceWords = 60                      // so do this many words
	clearShare    = 0.8                     // a clear word overlaps one turn by this share …
	clearSure     = 0.9                     // … which has this confidence …
	clearTurn     = time.Second             // … and this length
)

// Assign returns a copy of words, which must be sorted by start, with speaker labels. A word gets the speaker whose turns it
// overlaps most. In a gap it gets the nearest turn's speaker, and on a tie in overlapped speech the previous word's speaker. It never gets
// the speaker of a Second turn.
//
// Assign then smooths sentences: if other speakers have less than 30 % of a sentence and no pause sets them off, their words
// go to the majority. Words heard clearly, in a long turn with high confidence, keep their speaker.
//
// If any word already has a speaker, Assign changes none. Without turns, every word gets speaker 0. Sentences follow the rules of the
// language; "" is English.
func Assign(words []transcript.Word, turns []transcript.Turn, language transcript.Language) []transcript.Word {
	words = slices.Clone(words)
	if slices.ContainsFunc(words, func(w transcript.Word) bool { return w.Speaker != "" }) {
		return words
	}
	index := newTurnIndex(Turns(turns).First())
	attributions := make([]attribution, len(words))
	before := 0
	for i, w := range words {
		attributions[i] = index.attribute(w, before)
		before = attributions[i].speaker
	}
	for start := 0; start < len(words); {
		end := start + 1
		for end < len(words) && end-start < sentenceWords && !transcript.EndsSentence(words[end-1].Text, words[end].Text, language) &&
			words[end].Start-words[end-1].End <= sentencePause {
			end++
		}
		smoothSentence(words[start:end], attributions[start:end])
		start = end
	}
	for i := range words {
		words[i].Speaker = transcript.SpeakerLabel(attributions[i].speaker)
	}
	return words
}

// Utterances assigns speakers to words and groups the words into paragraphs, as transcript.BuildUtterances does.
func Utterances(words []transcript.Word, turns []transcript.Turn, language transcript.Language) []transcript.Utterance {
	return transcript.BuildUtterances(Assign(words, turns, language), language)
}

// attribution is the likely speaker of a word.
type attribution struct {
	speaker int
	clear   bool
}

// smoothSentence gives a sentence to its majority speaker where the rest looks like a mistake.
func smoothSentence(words []transcript.Word, attributions []attribution) {
	spoken := map[int]time.Duration{}
	majority, total := attributions[0].speaker, words[0].End-words[0].Start
	spoken[majority] = total
	for i, w := range words[1:] {
		s := attributions[i+1].speaker
		spoken[s] += w.End - w.Start
		total += w.End - w.Start
		if spoken[s] > spoken[majority] || spoken[s] == spoken[majority] && s < majority {
			majority = s
		}
	}
	if float64(total-spoken[majority]) >= minorityShare*float64(total) {
		return
	}
	for i := 0; i < len(words); {
		j := i + 1
		for j < len(words) && attributions[j].speaker == attributions[i].speaker {
			j++
		}
		setOff := i > 0 && words[i].Start-words[i-1].End > minorityPause || j < len(words) && words[j].Start-words[j-1].End > minorityPause
		if attributions[i].speaker != majority && !setOff && !slices.ContainsFunc(attributions[i:j], func(h attribution) bool { return h.clear }) {
			for k := i; k < j; k++ {
				attributions[k].speaker = majority
			}
		}
		i = j
	}
}

// turnIndex finds the turns near a word.
type turnIndex struct {
	turns []transcript.Turn // sorted by start
	until []int             // for each turn, the index of the turn up to it that ends last
}

func newTurnIndex(turns []transcript.Turn) turnIndex {
	x := turnIndex{slices.Clone(turns), make([]int, len(turns))}
	slices.SortStableFunc(x.turns, func(a, b transcript.Turn) int { return cmp.Compare(a.Start, b.Start) })
	for i := range x.turns {
		x.until[i] = i
		if i > 0 && x.turns[x.until[i-1]].End >= x.turns[i].End {
			x.until[i] = x.until[i-1]
		}
	}
	return x
}

// attribute returns the speaker of w; before is the speaker of the previous word.
func (x turnIndex) attribute(w transcript.Word, before int) attribution {
	if len(x.turns) == 0 {
		return attribution{}
	}
	first := sort.Search(len(x.turns), func(i int) bool { return x.turns[x.until[i]].End > w.Start })
	shared, sure := map[int]time.Duration{}, map[int]time.Duration{}
	best, found := 0, false
	for _, t := range x.turns[first:] {
		if t.Start >= w.End {
			break
		}
		overlap := min(w.End, t.End) - max(w.Start, t.Start)
		if overlap <= 0 {
			continue
		}
		shared[t.Speaker] += overlap
		if t.Confidence >= clearSure && t.End-t.Start >= clearTurn {
			sure[t.Speaker] += overlap
		}
		s := t.Speaker
		if !found || shared[s] > shared[best] || shared[s] == shared[best] && s == before {
			best, found = s, true
		}
	}
	if found {
		rivals := len(shared) > 1 && float64(shared[best]) < 2*float64(sum(shared)-shared[best])
		return attribution{best, !rivals && float64(sure[best]) >= clearShare*float64(w.End-w.Start)}
	}
	// first is the first turn that starts after the word, if any; the previous turn ends before the word.
	if first == len(x.turns) {
		return attribution{speaker: x.turns[x.until[first-1]].Speaker}
	}
	if first > 0 {
		if last := x.turns[x.until[first-1]]; w.Start-last.End <= x.turns[first].Start-w.End {
			return attribution{speaker: last.Speaker}
		}
	}
	return attribution{speaker: x.turns[first].Speaker}
}

func sum(durations map[int]time.Duration) time.Duration {
	var total time.Duration
	for _, d := range durations {
		total += d
	}
	return total
}
