package transcript

import (
	"cmp"
	"slices"
	"time"
)

// MatchLabels returns, for each label of a transcript, the label that another transcription of the same media has for the same speaker: the
// one that speaks at the same time for longest. Each label has another one; a speaker that the other transcription doesn't know gets a
// label of its own.
func MatchLabels(from, to Transcript) map[string]string {
	type match struct {
		from, to string
		together time.Duration
	}
	sums := map[[2]string]time.Duration{}
	for _, a := range from.Utterances {
		for _, b := range to.Utterances {
			if shared := min(a.End, b.End) - max(a.Start, b.Start); shared > 0 {
				sums[[2]string{a.Speaker, b.Speaker}] += shared
			}
		}
	}
	var all []match
	for labels, together := range sums {
		all = append(all, match{labels[0], labels[1], together})
	}
	slices.SortFunc(all, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.together, a.together), compareLabels(a.from, b.from), compareLabels(a.to, b.to))
	})
	matched, taken := map[string]string{}, map[string]bool{}
	for _, m := range all {
		if matched[m.from] == "" && !taken[m.to] {
			matched[m.from], taken[m.to] = m.to, true
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
