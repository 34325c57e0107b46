package conformance

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
)

// found searches until a result fits, as an index may be behind, and returns the answer and the result.
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

// hit is a search and the result that was looked for.
type hit struct {
	answer answer
	result any
}

// spoken is a search for the first words of the recording's longest utterance.
func spoken(p *probe) hit { return once(p, "hit in a transcript", searchSpoken) }

func searchSpoken(p *probe) hit {
	longest := ""
	for _, u := range jsonTranscript(p).list("utterances") {
		if t, _ := member(u, "text"); len(fmt.Sprint(t)) > len(longest) {
			longest = fmt.Sprint(t)
		}
	}
	id := talk(p).id
	a, r := p.found(firstWords(longest, 8), "", func(r any) bool { return is(r, "kind", "transcript") && is(r, "recording_id", id) })
	return hit{a, r}
}

// titled is a search for the recording's title.
func titled(p *probe) hit { return once(p, "hit in a title", searchTitle) }

func searchTitle(p *probe) hit {
	id := talk(p).id
	a, r := p.found(p.session.nonce+" talk", "", func(r any) bool { return is(r, "kind", "recording") && is(r, "recording_id", id) })
	return hit{a, r}
}

// generated is a search for generated content.
func generated(p *probe) hit { return once(p, "hit in generated content", searchContent) }

func searchContent(p *probe) hit {
	id := outputDone(p).text("output_id")
	a, r := p.found(firstWords(outputDone(p).text("text"), 6), "content", func(r any) bool { return is(r, "kind", "content") && is(r, "output_id", id) })
	return hit{a, r}
}

// is reports whether a member of a value is a string.
func is(v any, name, want string) bool {
	got, _ := member(v, name)
	return got == want
}

// firstWords returns the first words of a text that are letters only.
func firstWords(s string, n int) string {
	words := strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
	words = slices.DeleteFunc(words, func(w string) bool { return len(w) < 3 })
	return strings.Join(words[:min(n, len(words))], " ")
}

// only checks that a category gives results of one kind.
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

// hitHas checks a member of a hit.
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
	{"search.category", all(only("transcripts", "transcript", spoken), only("recordings", "recording", titled), only("content", "content", generated))},
	{"search.category.unknown", answers("GET", "/v1/search?query=a&category=people", "", 400)},
	{"search.limit", func(p *probe) {
		query, _ := spoken(p).answer.at("query")
		a := p.get("/v1/search?limit=1&category=transcripts&query=" + url.QueryEscape(fmt.Sprint(query))).accepted()
		p.want(a, len(a.list("results")) == 1, "1 result", len(a.list("results")))
	}},
	{"search.limit.zero", answers("GET", "/v1/search?query=a&limit=0", "", 400)},
	{"search.space", func(p *probe) {
		query, _ := titled(p).answer.at("query")
		a := p.get("/v1/search?space_id={space}&query=" + url.QueryEscape(fmt.Sprint(query))).accepted()
		p.want(a, len(a.list("results")) > 0, "results in the space", a.value)
	}},
	{"search.shape", func(p *probe) {
		a := titled(p).answer.on(p).is("query", equal(p.session.nonce+" talk")).is("results", arrayOf(object))
		a.is("count", equal(fmt.Sprint(len(a.list("results")))))
	}},
	{"search.result.snippet", hitHas(spoken, "snippet", filled)},
	{"search.result.start_ms", hitHas(spoken, "start_ms", integer)},
	{"search.result.recording_title", func(p *probe) {
		hitHas(spoken, "recording_title", equal(p.named("talk")+".m4a"))(p)
	}},
	{"search.result.output_type", hitHas(generated, "output_type", equal("dynamic"))},
	{"search.nothing", func(p *probe) {
		a := p.get("/v1/search?query=zxqv" + p.session.nonce).want(200)
		p.want(a, len(a.list("results")) == 0, "no results", a.value)
	}},
}
