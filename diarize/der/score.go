package der

import (
	"cmp"
	"slices"
	"time"
)

// Options say what to score. The zero Options score everything: no collar, overlapped speech included, from the first
// boundary of reference and hypothesis to the last.
//
// This is where scorers differ: without a UEM, md-eval scores only the Extent of the reference, so that false alarms before
// its first and after its last segment cost nothing. dscore scores like the zero Options.
type Options struct {
	Collar      time.Duration // time before and after each boundary of the reference's segments that isn't scored
	SkipOverlap bool          // don't score overlapped speech of the reference
	UEM         []Span        // score only these spans; nil scores all
}

// Extent returns the time from the first start of a reference to its last end, as a UEM: what md-eval scores without one.
func Extent(ref []Segment) []Span {
	extent := []Span{}
	for i, s := range ref {
		if i == 0 {
			extent = []Span{{s.Start, s.End}}
		}
		extent[0] = Span{min(extent[0].Start, s.Start), max(extent[0].End, s.End)}
	}
	return extent
}

// Score is a diarization error and its parts, in speaker time: 1 s of two overlapping speakers counts as 2 s.
type Score struct {
	Total      time.Duration // speech in the reference
	Missed     time.Duration // speech missing in the hypothesis
	FalseAlarm time.Duration // speech missing in the reference
	Confusion  time.Duration // speech attributed to the wrong speaker

	Mapping map[string]string // hypothesis speaker → reference speaker, for those with a counterpart
}

// DER returns the diarization error rate: (missed + false alarm + confusion) / total. It may exceed 1. Without reference
// speech, it is 0 if the hypothesis has no speech either, otherwise 1.
func (s Score) DER() float64 {
	wrong := s.Missed + s.FalseAlarm + s.Confusion
	if s.Total == 0 {
		return float64(min(wrong, 1))
	}
	return float64(wrong) / float64(s.Total)
}

// Add returns the total of two scores, as reported for a set of files. It has no Mapping.
func (s Score) Add(o Score) Score {
	return Score{Total: s.Total + o.Total, Missed: s.Missed + o.Missed,
		FalseAlarm: s.FalseAlarm + o.FalseAlarm, Confusion: s.Confusion + o.Confusion}
}

// DER scores a hypothesis like NIST (Rich Transcription 2009 evaluation plan, section 6; md-eval). Speakers are mapped one
// to one so that their common time is maximal; collars and overlap count for that too. Each piece between two boundaries then
// counts its missing, surplus and wrong speakers. Overlapping segments of the same speaker are merged, but the boundary
// between two that touch has a collar.
func DER(ref, hyp []Segment, o Options) Score {
	refNames, refSpans := bySpeaker(ref)
	hypNames, hypSpans := bySpeaker(hyp)
	cells := partition(refNames, refSpans, hypNames, hypSpans, boundaries(ref), o)

	shared := make([][]float64, len(hypNames))
	for i := range shared {
		shared[i] = make([]float64, len(refNames))
	}
	for _, c := range cells {
		for _, h := range c.hyp {
			for _, r := range c.ref {
				shared[h][r] += float64(c.length)
			}
		}
	}
	pairs := maxPairing(shared)

	s := Score{Mapping: map[string]string{}}
	for h, r := range pairs {
		if r >= 0 {
			s.Mapping[hypNames[h]] = refNames[r]
		}
	}
	for _, c := range cells {
		if !c.scored {
			continue
		}
		right := 0
		for _, h := range c.hyp {
			if pairs[h] >= 0 && slices.Contains(c.ref, pairs[h]) {
				right++
			}
		}
		nr, nh := len(c.ref), len(c.hyp)
		s.Total += time.Duration(nr) * c.length
		s.Missed += time.Duration(max(0, nr-nh)) * c.length
		s.FalseAlarm += time.Duration(max(0, nh-nr)) * c.length
		s.Confusion += time.Duration(min(nr, nh)-right) * c.length
	}
	return s
}

// boundaries returns the starts and ends of segments.
func boundaries(segments []Segment) []time.Duration {
	var out []time.Duration
	for _, s := range segments {
		if s.End > s.Start {
			out = append(out, s.Start, s.End)
		}
	}
	return out
}

// cell is a piece of time in which no speaker starts or stops.
type cell struct {
	scored   bool // outside collars and skipped overlap
	length   time.Duration
	ref, hyp []int // speakers, by index of name
}

// partition splits time at every boundary and returns the pieces of the UEM with speech.
func partition(refNames []string, ref map[string][]Span, hypNames []string, hyp map[string][]Span, collared []time.Duration, o Options) []cell {
	type event struct {
		at    time.Duration
		kind  int // 0 reference, 1 hypothesis, 2 scored region, 3 collar
		who   int
		delta int
	}
	var events []event
	add := func(s Span, kind, who int) {
		events = append(events, event{s.Start, kind, who, 1}, event{s.End, kind, who, -1})
	}
	for i, name := range refNames {
		for _, s := range ref[name] {
			add(s, 0, i)
		}
	}
	if o.Collar > 0 {
		for _, at := range collared {
			add(Span{at - o.Collar, at + o.Collar}, 3, 0)
		}
	}
	for i, name := range hypNames {
		for _, s := range hyp[name] {
			add(s, 1, i)
		}
	}
	for _, s := range union(o.UEM) {
		add(s, 2, 0)
	}
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })

	var cells []cell
	var active [2][]int
	scored, collars := 0, 0
	for i, e := range events {
		if length := e.at - events[max(i-1, 0)].at; length > 0 && (o.UEM == nil || scored > 0) &&
			len(active[0])+len(active[1]) > 0 {
			counts := collars == 0 && !(o.SkipOverlap && len(active[0]) > 1)
			cells = append(cells, cell{counts, length, slices.Clone(active[0]), slices.Clone(active[1])})
		}
		switch {
		case e.kind == 2:
			scored += e.delta
		case e.kind == 3:
			collars += e.delta
		case e.delta > 0:
			active[e.kind] = append(active[e.kind], e.who)
		default:
			active[e.kind] = slices.DeleteFunc(active[e.kind], func(w int) bool { return w == e.who })
		}
	}
	return cells
}
