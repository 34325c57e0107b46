package writer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// dynamic does what the prompt says: it writes the kinds of content that it names, in the order in which it names them, in
// the language of the text or in English; if it names none, the sentences that have most to do with it.
func (a *author) dynamic() string {
	orders := a.orders(transcript.Fold(a.prompt))
	if len(orders) == 0 {
		return a.passages()
	}
	var blocks []string
	for _, o := range orders {
		blocks = append(blocks, a.heading(string(o.want)), a.carryOut(o))
	}
	return paragraphs(blocks...)
}

func (a *author) heading(key string) string { return "## " + a.tongue.say("heading."+key) }

// carryOut writes one kind of content.
func (a *author) carryOut(o order) string {
	switch o.want {
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
		return a.those("no.questions", o.n, func(r remark) bool { return r.asks })
	case wantActions:
		return a.those("no.actions", o.n, func(r remark) bool { return !r.asks && a.acts(r) })
	}
	return bullets(a.citedAll(a.best(orElse(o.n, 5))))
}

func orElse(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return n
}

// passages are the sentences that have most to do with the prompt, or are worth most when none has anything.
func (a *author) passages() string {
	near := a.relevance()
	n := orElse(a.count(transcript.Fold(a.prompt)), 5)
	picked := a.talk.pick(near, n)
	if len(picked) == 0 {
		return paragraphs(a.heading("points"), bullets(a.citedAll(a.best(n))))
	}
	slices.Sort(picked)
	return paragraphs(a.heading("passages"), bullets(a.citedAll(picked)))
}

// titles proposes titles for the whole.
func (a *author) titles(n int) string {
	worth := a.worth()
	var titles []string
	for range orElse(n, 5) {
		title := a.title(worth, 0, len(a.talk.said), titles)
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

// those lists remarks of a kind, in order of the talk, or says that there are none.
func (a *author) those(none string, n int, kind func(remark) bool) string {
	score := a.worth()
	for i, r := range a.talk.remarks {
		score[i]++
		if !kind(r) {
			score[i] = 0
		}
	}
	picked := a.talk.pick(score, orElse(n, 8))
	if len(picked) == 0 {
		return a.tongue.say(none)
	}
	slices.Sort(picked)
	return bullets(a.citedAll(picked))
}

// acts reports whether a remark speaks of something to be done.
func (a *author) acts(r remark) bool {
	text := transcript.Fold(r.text)
	for _, l := range a.talk.languages {
		t := tongueOf(l)
		if slices.ContainsFunc(t.actions, func(p string) bool { return t.finds(text, p, true) >= 0 }) {
			return true
		}
	}
	return false
}
