package transcript

import (
	"cmp"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// Snapping is what the edges of a window move to.
type Snapping string

// What edges move to.
const (
	SnapWord     Snapping = "word"     // see Snap
	SnapSentence Snapping = "sentence" // see SnapSentences
)

// Snappings returns every Snapping.
func Snappings() []Snapping { return []Snapping{SnapWord, SnapSentence} }

// SnapTo moves a window's edges to words or to sentences; "" is SnapWord. Errors: those of Snap, and CodeInvalid for another Snapping.
func SnapTo(how Snapping, t Transcript, media time.Duration, asked Window) (Window, error) {
	switch how {
	case "", SnapWord:
		return Snap(t.Words(), media, asked)
	case SnapSentence:
		return SnapSentences(t, media, asked)
	}
	return Window{}, how.Validate()
}

// Validate returns CodeInvalid for an unknown Snapping. "" is valid.
func (s Snapping) Validate() error {
	if s == "" || slices.Contains(Snappings(), s) {
		return nil
	}
	return fault.Errorf(fault.CodeInvalid, "Snap", "Windows snap to a word or to a sentence (got %.40q).", s).WithHint("Use word or sentence.")
}

// farSentence is how far an edge moves at most to a place where nobody is in the middle of a sentence.
const farSentence = 60 * time.Second

// SnapSentences moves a window's edges to the nearest start and end of a sentence. Where speakers overlap, it skips edges inside another
// speaker's sentence, so the window begins with no tail of one. If there is no such place within a minute, it takes any start of a sentence.
//
// A window that begins and ends where nobody speaks stays as it is. It never becomes longer than MaxWindow: it ends with an earlier sentence,
// or if it is a part of one sentence, with a word. Errors are those of Snap.
func SnapSentences(t Transcript, media time.Duration, asked Window) (Window, error) {
	words := t.Words()
	snapped, err := Snap(words, media, asked)
	if err != nil {
		return Window{}, err
	}
	spoken := spans(t, media)
	start, found := nearest(spoken, asked.Start, farSentence, func(w Window) time.Duration { return w.Start }, func(at time.Duration) bool {
		return at < asked.End
	})
	if !found {
		return snapped, nil
	}
	end, found := nearest(spoken, asked.End, farSentence, func(w Window) time.Duration { return w.End }, func(at time.Duration) bool {
		return at > start && at-start <= MaxWindow
	})
	if !found { // one sentence is longer than a window may be
		return Snap(words, media, Window{Start: start, End: min(asked.End, start+MaxWindow)})
	}
	return Window{Start: start, End: end}, nil
}

// spans returns when the sentences are spoken, without words outside the media.
func spans(t Transcript, media time.Duration) (all []Window) {
	for _, s := range Sentences(t) {
		words := TouchedWords(s.words, media, Window{End: media})
		if len(words) == 0 {
			continue
		}
		w := Window{Start: words[0].Start, End: words[0].End}
		for _, word := range words {
			w.Start, w.End = min(w.Start, word.Start), max(w.End, word.End)
		}
		all = append(all, w)
	}
	return all
}

// nearest returns the edge that is nearest to a time: an allowed one inside no sentence and at most far away, or else any allowed one. It
// prefers the earlier of two.
func nearest(spoken []Window, to, far time.Duration, edge func(Window) time.Duration, allowed func(time.Duration) bool) (at time.Duration, found bool) {
	edges := make([]time.Duration, 0, len(spoken))
	for _, w := range spoken {
		if at := edge(w); allowed(at) {
			edges = append(edges, at)
		}
	}
	distance := func(at time.Duration) time.Duration { return max(at-to, to-at) }
	slices.SortFunc(edges, func(a, b time.Duration) int {
		return cmp.Or(cmp.Compare(distance(a), distance(b)), cmp.Compare(a, b))
	})
	edges = slices.Compact(edges)
	inside := insideSpans(spoken)
	for _, at := range edges {
		if distance(at) <= far && !inside(at) {
			return at, true
		}
	}
	if len(edges) == 0 {
		return 0, false
	}
	return edges[0], true
}

// MidSentence returns a function that reports whether somebody is in the middle of a sentence at a time, not at its edge.
func MidSentence(sentences []Sentence) func(at time.Duration) bool {
	spoken := make([]Window, len(sentences))
	for i, s := range sentences {
		spoken[i] = Window{Start: s.Start, End: s.End}
	}
	return insideSpans(spoken)
}

// insideSpans returns whether a time is inside one of the spans, not at its edge. It answers in logarithmic time.
func insideSpans(spoken []Window) func(time.Duration) bool {
	sorted := slices.Clone(spoken)
	slices.SortFunc(sorted, func(a, b Window) int { return cmp.Compare(a.Start, b.Start) })
	latest := make([]time.Duration, len(sorted)) // end of this span or an earlier one
	var end time.Duration
	for i, w := range sorted {
		end = max(end, w.End)
		latest[i] = end
	}
	return func(at time.Duration) bool {
		n, _ := slices.BinarySearchFunc(sorted, at, func(w Window, at time.Duration) int { return cmp.Compare(w.Start, at) }) // spans that start before
		return n > 0 && latest[n-1] > at
	}
}
