package der

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// WordScore counts words attributed to the wrong speaker.
type WordScore struct {
	Words, Wrong int
}

// WDER returns the word diarization error rate: the share of words with the wrong speaker. It is 0 without words.
func (s WordScore) WDER() float64 {
	return float64(s.Wrong) / float64(max(s.Words, 1))
}

// Add returns the total of two scores.
func (s WordScore) Add(o WordScore) WordScore {
	return WordScore{Words: s.Words + o.Words, Wrong: s.Wrong + o.Wrong}
}

// Words scores the speakers of words: ref[i] is the true speaker of word i, hyp[i] the attributed one. Speakers are mapped
// one to one so that as many words as possible are right (Shafey, Soltau & Shafran, "Joint speech recognition and speaker
// diarization via sequence transduction", Interspeech 2019, for correctly recognised words). It panics if the lengths
// differ.
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
	for r, h := range maxPairing(both) {
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

// SimulateWords splits segments into words of the given length, for references without words, sorted by start. The last word
// of a segment is shorter, and is dropped if it is less than half as long.
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
