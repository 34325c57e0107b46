package transcript

import (
	"cmp"
	"slices"
	"time"
)

// MatchLabels returns, for each label of a transcript, the label that another transcription of the same media has for the same speaker: the
// one that speaks at the same time for longest. corrected are times whose labels a user has given: they count only for speakers that are
// nowhere else, because the other transcription may still confuse these with whom they were confused with before. Each label has another
// one; a speaker that the other transcription doesn't know gets a label of its own.
func MatchLabels(from, to Transcript, corrected []Window) map[string]string {
	matched, taken := map[string]string{}, map[string]bool{}
	for _, ignored := range [][]Window{corrected, nil} {
		for _, m := range together(from, to, ignored) {
			if matched[m.from] == "" && !taken[m.to] {
				matched[m.from], taken[m.to] = m.to, true
			}
		}
	}
	fresh, _ := labelNumber(to.NextLabel())
	for _, label := range from.Labels() {
		if matched[label] == "" {
			matched[label] = SpeakerLabel(fresh)
			fresh++
		}
	}
	return matched
}

// match is how long two labels speak at the same time.
type match struct {
	from, to string
	shared   time.Duration
}

// together returns the labels of two transcripts that speak at the same time, longest first, without the ignored times.
func together(from, to Transcript, ignored []Window) []match {
	sums := map[[2]string]time.Duration{}
	for _, a := range from.Utterances {
		for _, part := range without(Window{a.Start, a.End}, ignored) {
			for _, b := range to.Utterances {
				if shared := min(part.End, b.End) - max(part.Start, b.Start); shared > 0 {
					sums[[2]string{a.Speaker, b.Speaker}] += shared
				}
			}
		}
	}
	var all []match
	for labels, shared := range sums {
		all = append(all, match{labels[0], labels[1], shared})
	}
	slices.SortFunc(all, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.shared, a.shared), compareLabels(a.from, b.from), compareLabels(a.to, b.to))
	})
	return all
}

// without returns the parts of a window that are in none of others.
func without(w Window, others []Window) []Window {
	parts := []Window{w}
	for _, o := range others {
		var kept []Window
		for _, p := range parts {
			for _, left := range []Window{{p.Start, min(p.End, o.Start)}, {max(p.Start, o.End), p.End}} {
				if left.End > left.Start {
					kept = append(kept, left)
				}
			}
		}
		parts = kept
	}
	return parts
}

// NextLabel returns the first label after those of the transcript: "Speaker 2" after "Speaker 0" and "Speaker 1".
func (t Transcript) NextLabel() string {
	n := 0
	for _, u := range t.Utterances {
		if number, ok := labelNumber(u.Speaker); ok {
			n = max(n, number+1)
		}
	}
	return SpeakerLabel(n)
}
