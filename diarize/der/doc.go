// Package der scores diarization against a reference: diarization error rate (DER), Jaccard error rate (JER), and word
// diarization error rate (Words). It also reads and writes RTTM and UEM, the usual reference formats.
//
//	score := der.DER(reference, der.FromTurns(turns), der.Options{Collar: 250 * time.Millisecond})
//	fmt.Printf("%.1f %%\n", 100*score.DER())
//
// Scores are exact: boundaries are compared directly, not on a grid of frames.
package der

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Segment is speech of one speaker from Start until End (exclusive).
type Segment struct {
	Speaker    string
	Start, End time.Duration
}

// Span is a range of time from Start until End (exclusive).
type Span struct {
	Start, End time.Duration
}

// FromTurns converts turns, sorted by start, to segments, with the speaker's number as name. A Second turn and the turns of its speaker that
// it touches are one segment.
func FromTurns(turns []transcript.Turn) []Segment {
	segments := make([]Segment, 0, len(turns))
	last := map[int]int{} // speaker → the last segment
	second := map[int]bool{}
	for _, t := range turns {
		i, spoke := last[t.Speaker]
		if spoke && segments[i].End == t.Start && (t.Second || second[t.Speaker]) {
			segments[i].End = t.End
		} else {
			last[t.Speaker] = len(segments)
			segments = append(segments, Segment{Speaker: strconv.Itoa(t.Speaker), Start: t.Start, End: t.End})
		}
		second[t.Speaker] = t.Second
	}
	return segments
}

// bySpeaker returns each speaker's spans, sorted, merged and non-empty, and the names of the speakers in order of
// appearance.
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

// appendSpan appends s to spans, which are sorted and don't start later. If s touches the last span, it extends that.
func appendSpan(spans []Span, s Span) []Span {
	if n := len(spans); n > 0 && s.Start <= spans[n-1].End {
		spans[n-1].End = max(spans[n-1].End, s.End)
		return spans
	}
	return append(spans, s)
}

// union returns spans sorted and merged.
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
