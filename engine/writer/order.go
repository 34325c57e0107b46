package writer

import (
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// want is a kind of content that a prompt can ask for.
type want string

const (
	wantQuotes    want = "quotes"
	wantSummary   want = "summary"
	wantPosts     want = "posts"
	wantQuestions want = "questions"
	wantTitles    want = "titles"
	wantPoints    want = "points" // bullet points, highlights
	wantTopics    want = "topics"
	wantChapters  want = "chapters"
	wantActions   want = "actions" // what is to be done
)

// wants is every kind of content that prompts are searched for.
var wants = []want{
	wantQuotes, wantSummary, wantPosts, wantQuestions, wantTitles, wantPoints, wantTopics, wantChapters, wantActions,
}

// order is a kind of content that a prompt asks for, and how much of it.
type order struct {
	want want
	at   int // where the prompt says so, in bytes of its folded text
	n    int // 0 when it doesn't say
}

// orders finds what a folded prompt asks for, in the order in which it does.
func (a *author) orders(prompt string) (orders []order) {
	for _, w := range wants {
		at := -1
		for _, t := range a.tongues() {
			for _, p := range t.wants[w] {
				if i := t.finds(prompt, p, false); i >= 0 && (at < 0 || i < at) {
					at = i
				}
			}
		}
		if at >= 0 {
			orders = append(orders, order{want: w, at: at})
		}
	}
	slices.SortStableFunc(orders, func(x, y order) int { return x.at - y.at })
	from := 0
	for i, o := range orders {
		orders[i].n = a.count(prompt[from:o.at])
		from = o.at
	}
	if n := len(orders); n > 0 && orders[n-1].n == 0 {
		orders[n-1].n = a.count(prompt[from:]) // "quotes: 3"
	}
	return a.merge(orders)
}

// merge makes one order of a summary and the points that it shall have.
func (a *author) merge(orders []order) []order {
	summary := slices.IndexFunc(orders, func(o order) bool { return o.want == wantSummary })
	points := slices.IndexFunc(orders, func(o order) bool { return o.want == wantPoints })
	if summary < 0 || points < 0 {
		return orders
	}
	orders[summary].n = max(orders[summary].n, orders[points].n)
	return slices.Delete(orders, points, points+1)
}

// tongues are those in which the author understands what is asked.
func (a *author) tongues() []*tongue {
	all := []*tongue{a.tongue, tongueOf(transcript.DefaultLanguage)}
	for _, l := range a.talk.languages {
		all = append(all, tongueOf(l))
	}
	return all
}

// finds returns where a folded text has a phrase, or -1: at the beginning of a word where there are spaces, and, when the
// phrase is whole, up to the end of one.
func (t *tongue) finds(text, phrase string, whole bool) int {
	for from := 0; ; {
		i := strings.Index(text[from:], phrase)
		if i < 0 {
			return -1
		}
		i += from
		if !touches(text[:i], phrase) && (!whole || !touches(phrase, text[i+len(phrase):])) {
			return i
		}
		from = i + len(phrase)
	}
}
