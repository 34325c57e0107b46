package writer

import (
	"slices"
	"strings"
)

// quotes are sentences that can stand alone, verbatim, from all who speak.
func (a *author) quotes(n int) string {
	if n == 0 {
		n = max(1, min(6, len(a.talk.remarks)/4))
	}
	var quotes []string
	for _, i := range a.quotable(n) {
		r := a.talk.remarks[i]
		quotes = append(quotes, "> "+escape(r.text)+"\n>\n> — "+a.by("**"+escape(r.speaker)+"**", r))
	}
	return strings.Join(quotes, "\n\n")
}

// quotable returns at most n remarks that are good to quote, in order of the talk: no questions, nothing that leans on
// what is said before, if there is enough else.
func (a *author) quotable(n int) []int {
	score := a.worth()
	for i, r := range a.talk.remarks {
		if r.asks || r.weak || r.length < 5 {
			score[i] /= 8
		}
	}
	picked := a.talk.pick(score, n)
	if len(picked) == 0 {
		return a.best(n)
	}
	slices.Sort(picked)
	return picked
}
