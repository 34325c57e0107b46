package writer

import (
	"slices"
	"strings"
)

// quotes returns n quotes, as block quotes with speaker and time. With 0, n depends on the length.
func (a *author) quotes(n int) string {
	if n == 0 {
		n = max(1, min(6, len(a.corpus.sentences)/4))
	}
	var quotes []string
	for _, i := range a.quotable(n) {
		r := a.corpus.sentences[i]
		quotes = append(quotes, "> "+escape(r.text)+"\n>\n> — "+a.by("**"+escape(r.speaker)+"**", r))
	}
	return strings.Join(quotes, "\n\n")
}

// quotable returns at most n sentences to quote, in their order. It avoids questions, short sentences, and sentences that need their
// context, if there are enough others.
func (a *author) quotable(n int) []int {
	score := a.importance()
	for i, r := range a.corpus.sentences {
		if r.question || r.dependent || r.length < 5 {
			score[i] /= 8
		}
	}
	picked := a.corpus.pick(score, n)
	if len(picked) == 0 {
		return a.best(n)
	}
	slices.Sort(picked)
	return picked
}
