package der

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// WordScore counts words whose speaker is wrong.
type WordScore struct {
	Words, Wrong int
}

// WDER is the word diarization error rate: the share of words that have the wrong speaker. It is 0 without words.
func (s WordScore) WDER() float64 {
	return float64(s.Wrong) / float64(max(s.Words, 1))
}

// Add returns the score of both pieces together.
func (s WordScore) Add(o WordScore) WordScore {
	return WordScore{Words: s.Words + o.Words, Wrong: s.Wrong + o.Wrong}
}

// Words scores the speakers of words: ref[i] is who said the i-th word, hyp[i] who is said to have. Speakers are mapped
// one to one such that as many words as possible are right (Shafey, Soltau & Shafran, "Joint speech recognition and
// speaker diarization via sequence transduction", Interspeech 2019, for words that were all recognised). It panics when
// the two differ in length.
func Words(ref, hyp []string) WordScore {
	if len(ref) != len(hyp) {
		panic(fmt.Sprintf("der: %d reference words, %d hypothesis words", len(ref), len(hyp)))
	}
	refIndex, hypIndex := numbers(ref), numbers(hyp)
	both := make([][]float64, len(refIndex))
	for i := range both {
		both[i] = make([]float64, len(hypIndex))
	}
	for i := range ref {
		both[refIndex[ref[i]]][hypIndex[hyp[i]]]++
	}
	s := WordScore{Words: len(ref), Wrong: len(ref)}
	for r, h := range assign(both) {
		if h >= 0 {
			s.Wrong -= int(both[r][h])
		}
	}
	return s
}

func numbers(names []string) map[string]int {
	index := map[string]int{}
	for _, n := range names {
		if _, ok := index[n]; !ok {
			index[n] = len(index)
		}
	}
	return index
}

// SimulateWords cuts a reference into words of the given length, for references that have none: each segment is filled
// from its start, and a rest of at least half a word is one more. They are in order of their start.
func SimulateWords(ref []Segment, length time.Duration) []Segment {
	var words []Segment
	for _, s := range ref {
		for at := s.Start; s.End-at >= length/2 && s.End > at; at += length {
			words = append(words, Segment{s.Speaker, at, min(at+length, s.End)})
		}
	}
	slices.SortStableFunc(words, func(a, b Segment) int { return cmp.Compare(a.Start, b.Start) })
	return words
}
