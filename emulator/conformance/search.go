package conformance

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
)

// found searches until a result fits, because indexing may lag, and returns the answer and the result.
func (p *probe) found(query, category string, fits func(any) bool) (answer, any) {
	path := "/v1/search?limit=25&query=" + url.QueryEscape(query)
	if category != "" {
		path += "&category=" + category
	}
	deadline := time.Now().Add(min(p.session.config.Timeout, 30*time.Second))
	for pause := shortestPoll; ; pause = min(pause*3/2, longestPoll) {
		a := p.get(path).ok()
		for _, r := range a.list("results") {
			if fits(r) {
				return a, r
			}
		}
		if time.Now().After(deadline) {
			p.fail(a, "a result for "+query, show(a.value))
		}
		p.pause(pause)
	}
}

// hit is a search answer and the expected result in it.
type hit struct {
	answer answer
	result any
}

// spokenHit searches for the first words of the recording's longest utterance.
func spokenHit(p *probe) hit { return once(p, "hit in a transcript", searchSpoken) }

func searchSpoken(p *probe) hit {
	longest := ""
	for _, u := range jsonTranscript(p).list("utterances") {
		if t, _ := member(u, "text"); len(fmt.Sprint(t)) > len(longest) {
			longest = fmt.Sprint(t)
		}
	}
	id := audioRecording(p).id
	a, r := p.found(firstWords(longest, 8), "", func(r any) bool { return is(r, "kind", "transcript") && is(r, "recording_id", id) })
	return hit{a, r}
}

// titleHit searches for the recording's title.
func titleHit(p *probe) hit { return once(p, "hit in a title", searchTitle) }

func searchTitle(p *probe) hit {
	id := audioRecording(p).id
	a, r := p.found(p.session.nonce+" talk", "", func(r any) bool { return is(r, "kind", "recording") && is(r, "recording_id", id) })
	return hit{a, r}
}

// contentHit searches for generated content.
func contentHit(p *probe) hit { return once(p, "hit in generated content", searchContent) }

func searchContent(p *probe) hit {
	id := outputDone(p).text("output_id")
	a, r := p.found(firstWords(outputDone(p).text("text"), 6), "content", func(r any) bool { return is(r, "kind", "content") && is(r, "output_id", id) })
	return hit{a, r}
}

// is reports whether a member of a value equals a string.
func is(v any, name, want string) bool {
	got, _ := member(v, name)
	return got == want
}

// firstWords returns the first n words of a text that have at least three letters, without punctuation.
func firstWords(s string, n int) string {
	words := strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
	words = slices.DeleteFunc(words, func(w string) bool { return len(w) < 3 })
	return strings.Join(words[:min(n, len(words))], " ")
}

// only checks that a category returns results of one kind only.
func only(category, kind string, of func(*probe) hit) func(*probe) {
	return func(p *probe) {
		query, _ := of(p).answer.at("query")
		a := p.get("/v1/search?query=" + url.QueryEscape(fmt.Sprint(query)) + "&category=" + category).accepted()
		for _, r := range a.list("results") {
			p.want(a, is(r, "kind", kind), "only results of kind "+kind, r)
		}
		p.want(a, len(a.list("results")) > 0, "results", a.value)
	}
}

// hitHas checks a member of a search result.
func hitHas(of func(*probe) hit, name string, s shape) func(*probe) {
	return func(p *probe) {
		h := of(p)
		v, ok := member(h.result, name)
		p.want(h.answer, ok && s.fits(v), name+": "+s.name, h.result)
	}
}

var searchChecks = []check{
	{"search.transcripts", func(p *probe) { decides(p, "hit in a transcript", searchSpoken) }},
	{"search.titles", func(p *probe) { decides(p, "hit in a title", searchTitle) }},
	{"search.content", func(p *probe) { decides(p, "hit in generated content", searchContent) }},
	{"search.query-required", answers("GET", "/v1/search", "", 400)},
	{"search.category", all(only("transcripts", "transcript", spokenHit), only("recordings", "recording", titleHit), only("content", "content", contentHit))},
	{"search.category.unknown", answers("GET", "/v1/search?query=a&category=people", "", 400)},
	{"search.limit", func(p *probe) {
		query, _ := spokenHit(p).answer.at("query")
		a := p.get("/v1/search?limit=1&category=transcripts&query=" + url.QueryEscape(fmt.Sprint(query))).accepted()
		p.want(a, len(a.list("results")) == 1, "1 result", len(a.list("results")))
	}},
	{"search.limit.zero", answers("GET", "/v1/search?query=a&limit=0", "", 400)},
	{"search.space", func(p *probe) {
		query, _ := titleHit(p).answer.at("query")
		a := p.get("/v1/search?space_id={space}&query=" + url.QueryEscape(fmt.Sprint(query))).accepted()
		p.want(a, len(a.list("results")) > 0, "results in the space", a.value)
	}},
	{"search.shape", func(p *probe) {
		a := titleHit(p).answer.reportTo(p).is("query", equal(p.session.nonce+" talk")).is("results", arrayOf(object))
		a.is("count", equal(fmt.Sprint(len(a.list("results")))))
	}},
	{"search.result.snippet", hitHas(spokenHit, "snippet", filled)},
	{"search.result.start_ms", hitHas(spokenHit, "start_ms", integer)},
	{"search.result.recording_title", func(p *probe) {
		hitHas(spokenHit, "recording_title", equal(p.named("talk")+".m4a"))(p)
	}},
	{"search.result.output_type", hitHas(contentHit, "output_type", equal("dynamic"))},
	{"search.nothing", func(p *probe) {
		a := p.get("/v1/search?query=zxqv" + p.session.nonce).want(200)
		p.want(a, len(a.list("results")) == 0, "no results", a.value)
	}},
}
