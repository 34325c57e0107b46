// Package der scores who-spoke-when against a reference: diarization error rate, Jaccard error rate and the share of
// words that were given to the wrong speaker. It reads and writes RTTM and UEM, the files that such references come in.
//
// All arithmetic is exact: boundaries are compared as they are, not on a grid of frames.
package der

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Segment is a stretch of one speaker's speech: from Start up to, not including, End.
type Segment struct {
	Speaker    string
	Start, End time.Duration
}

// Span is a stretch of time: from Start up to, not including, End.
type Span struct {
	Start, End time.Duration
}

// FromTurns turns a diarizer's answer into segments, with the speaker's number as the name.
func FromTurns(turns []transcript.Turn) []Segment {
	segments := make([]Segment, len(turns))
	for i, t := range turns {
		segments[i] = Segment{Speaker: strconv.Itoa(t.Speaker), Start: t.Start, End: t.End}
	}
	return segments
}

// bySpeaker returns each speaker's spans, sorted, without overlaps between them and without empty ones, and the
// speakers' names in the order of their first speech.
func bySpeaker(segments []Segment) (names []string, spans map[string][]Span) {
	sorted := slices.Clone(segments)
	slices.SortStableFunc(sorted, func(a, b Segment) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Speaker, b.Speaker))
	})
	spans = map[string][]Span{}
	for _, s := range sorted {
		if s.End <= s.Start {
			continue
		}
		own := spans[s.Speaker]
		if own == nil {
			names = append(names, s.Speaker)
		}
		spans[s.Speaker] = appendSpan(own, Span{s.Start, s.End})
	}
	return names, spans
}

// appendSpan appends s to spans that are sorted and begin no later, joining it with the last where they touch.
func appendSpan(spans []Span, s Span) []Span {
	if n := len(spans); n > 0 && s.Start <= spans[n-1].End {
		spans[n-1].End = max(spans[n-1].End, s.End)
		return spans
	}
	return append(spans, s)
}

// union returns spans sorted and joined.
func union(spans []Span) []Span {
	sorted := slices.Clone(spans)
	slices.SortFunc(sorted, func(a, b Span) int { return cmp.Compare(a.Start, b.Start) })
	var out []Span
	for _, s := range sorted {
		if s.End > s.Start {
			out = appendSpan(out, s)
		}
	}
	return out
}
