package writer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// dynamic writes the kinds of content that the prompt names, in that order. It understands the languages of the text and of the
// transcript, and English. If the prompt names no kind, it lists the most relevant sentences.
func (a *author) dynamic() string {
	requests := a.requests(transcript.Fold(a.prompt))
	if len(requests) == 0 {
		return a.passages()
	}
	var blocks []string
	for _, o := range requests {
		blocks = append(blocks, a.heading(string(o.kind)), a.section(o))
	}
	return paragraphs(blocks...)
}

func (a *author) heading(key string) string { return "## " + a.lexicon.say("heading."+key) }

// section writes the content of a request.
func (a *author) section(o request) string {
	switch o.kind {
	case wantQuotes:
		return a.quotes(o.n)
	case wantSummary:
		return a.overview(o.n)
	case wantPosts:
		return a.posts(o.n)
	case wantTopics:
		return a.keyTopics(o.n)
	case wantChapters:
		return a.chapters(o.n)
	case wantTitles:
		return a.titles(o.n)
	case wantQuestions:
		return a.listWhere("no.questions", o.n, func(r sentence) bool { return r.question })
	case wantActions:
		return a.listWhere("no.actions", o.n, func(r sentence) bool { return !r.question && a.isAction(r) })
	}
	return bullets(a.citedAll(a.best(orElse(o.n, 5))))
}

func orElse(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return n
}

// passages lists the sentences that are most relevant to the prompt, or the most important ones if none is relevant.
func (a *author) passages() string {
	near := a.relevance()
	n := orElse(a.count(transcript.Fold(a.prompt)), 5)
	picked := a.corpus.pick(near, n)
	if len(picked) == 0 {
		return paragraphs(a.heading("points"), bullets(a.citedAll(a.best(n))))
	}
	slices.Sort(picked)
	return paragraphs(a.heading("passages"), bullets(a.citedAll(picked)))
}

// titles suggests titles for the whole transcript.
func (a *author) titles(n int) string {
	worth := a.importance()
	var titles []string
	for range orElse(n, 5) {
		title := a.title(worth, 0, len(a.corpus.utterances), titles)
		if slices.Contains(titles, title) {
			break
		}
		titles = append(titles, title)
	}
	for i := range titles {
		titles[i] = strconv.Itoa(i+1) + ". " + escape(titles[i])
	}
	return strings.Join(titles, "\n")
}

// listWhere lists the sentences for which kind returns true, in their order, or says that there are none.
func (a *author) listWhere(none string, n int, kind func(sentence) bool) string {
	score := a.importance()
	for i, r := range a.corpus.sentences {
		score[i]++
		if !kind(r) {
			score[i] = 0
		}
	}
	picked := a.corpus.pick(score, orElse(n, 8))
	if len(picked) == 0 {
		return a.lexicon.say(none)
	}
	slices.Sort(picked)
	return bullets(a.citedAll(picked))
}

// isAction reports whether a sentence mentions something to be done.
func (a *author) isAction(r sentence) bool {
	text := transcript.Fold(r.text)
	for _, l := range a.corpus.languages {
		t := lexiconOf(l)
		if slices.ContainsFunc(t.actions, func(p string) bool { return t.find(text, p, true) >= 0 }) {
			return true
		}
	}
	return false
}
