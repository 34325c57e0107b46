package writer

import (
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// contentKind is a kind of content that a prompt can request.
type contentKind string

const (
	wantQuotes    contentKind = "quotes"
	wantSummary   contentKind = "summary"
	wantPosts     contentKind = "posts"
	wantQuestions contentKind = "questions"
	wantTitles    contentKind = "titles"
	wantPoints    contentKind = "points" // bullet points, highlights
	wantTopics    contentKind = "topics"
	wantChapters  contentKind = "chapters"
	wantActions   contentKind = "actions" // action items
)

// contentKinds lists every kind of content.
var contentKinds = []contentKind{
	wantQuotes, wantSummary, wantPosts, wantQuestions, wantTitles, wantPoints, wantTopics, wantChapters, wantActions,
}

// request is a request in a prompt for a kind of content.
type request struct {
	kind contentKind
	at   int // byte offset in the folded prompt
	n    int // number of items; 0 if the prompt has none
}

// requests returns the requests in a folded prompt, in their order.
func (a *author) requests(prompt string) (requests []request) {
	for _, w := range contentKinds {
		at := -1
		for _, t := range a.lexicons() {
			for _, p := range t.kindPhrases[w] {
				if i := t.find(prompt, p, false); i >= 0 && (at < 0 || i < at) {
					at = i
				}
			}
		}
		if at >= 0 {
			requests = append(requests, request{kind: w, at: at})
		}
	}
	slices.SortStableFunc(requests, func(x, y request) int { return x.at - y.at })
	from := 0
	for i, o := range requests {
		requests[i].n = a.count(prompt[from:o.at])
		from = o.at
	}
	if n := len(requests); n > 0 && requests[n-1].n == 0 {
		requests[n-1].n = a.count(prompt[from:]) // "quotes: 3"
	}
	return a.merge(requests)
}

// merge combines a request for a summary with one for bullet points.
func (a *author) merge(requests []request) []request {
	summary := slices.IndexFunc(requests, func(o request) bool { return o.kind == wantSummary })
	points := slices.IndexFunc(requests, func(o request) bool { return o.kind == wantPoints })
	if summary < 0 || points < 0 {
		return requests
	}
	requests[summary].n = max(requests[summary].n, requests[points].n)
	return slices.Delete(requests, points, points+1)
}

// lexicons returns the lexicons for understanding the prompt.
func (a *author) lexicons() []*lexicon {
	all := []*lexicon{a.lexicon, lexiconOf(transcript.DefaultLanguage)}
	for _, l := range a.corpus.languages {
		all = append(all, lexiconOf(l))
	}
	return all
}

// find returns the offset of a phrase in a folded text, or -1. In languages with spaces, the phrase must start a word; if whole is set,
// it must also end one.
func (t *lexicon) find(text, phrase string, whole bool) int {
	for from := 0; ; {
		i := strings.Index(text[from:], phrase)
		if i < 0 {
			return -1
		}
		i += from
		if !joinsWord(text[:i], phrase) && (!whole || !joinsWord(phrase, text[i+len(phrase):])) {
			return i
		}
		from = i + len(phrase)
	}
}
