package conformance

import (
	"fmt"
	"time"
)

// suggestionList returns a recording's clip suggestions once there are any. Without any the check is not applicable.
func suggestionList(p *probe) answer {
	return once(p, "clip suggestions", func(p *probe) answer {
		deadline := time.Now().Add(p.session.config.Timeout)
		for pause := shortestPoll; ; pause = min(pause*3/2, longestPoll) {
			a := p.get("/v1/recordings/{recording}/clip-suggestions?generate=true").ok()
			if len(a.list("suggestions")) > 0 {
				return a
			}
			if time.Now().After(deadline) {
				p.skip("the server suggests no clips for the recording")
			}
			p.pause(pause)
		}
	}).reportTo(p)
}

// suggestion returns the first suggestion of a kind.
func suggestion(p *probe, kind string) any {
	for _, s := range suggestionList(p).list("suggestions") {
		if k, _ := member(s, "kind"); k == kind {
			return s
		}
	}
	p.skip("the server suggests no %s for the recording", kind)
	return nil
}

var suggestionChecks = []check{
	{"suggestions.list", accepts("GET", "/v1/recordings/{recording}/clip-suggestions", "")},
	{"suggestions.list.shape", func(p *probe) {
		a := suggestionList(p).is("recording_id", equal(audioRecording(p).id))
		a.is("count", equal(fmt.Sprint(len(a.list("suggestions")))))
	}},
	{"suggestions.fields", func(p *probe) {
		a := suggestionList(p)
		for i := range a.list("suggestions") {
			at := fmt.Sprintf("suggestions.%d.", i)
			a.is(at+"id", filled).is(at+"title", filled).is(at+"excerpt", text).is(at+"kind", oneOf("clip", "carousel")).
				is(at+"score", within(0, 100)).is(at+"start_ms", orNull(integer)).is(at+"end_ms", orNull(integer))
		}
	}},
	{"suggestions.best-first", func(p *probe) {
		a := suggestionList(p)
		last := 100.0
		for i := range a.list("suggestions") {
			score := a.number(fmt.Sprintf("suggestions.%d.score", i))
			p.want(a, score <= last, fmt.Sprintf("at most %v", last), score)
			last = score
		}
	}},
	{"suggestions.none-yet", func(p *probe) {
		a := p.get("/v1/recordings/{video}/clip-suggestions").want(200)
		p.want(a, len(a.list("suggestions")) == 0, "an empty list, because none were requested", a.value)
	}},
	{"suggestions.carousel.null-times", func(p *probe) {
		s := suggestion(p, "carousel")
		from, ok := member(s, "start_ms")
		to, okTo := member(s, "end_ms")
		p.want(suggestionList(p), ok && okTo && from == nil && to == nil, "null times", s)
	}},
	{"suggestions.carousel.no-render", func(p *probe) {
		id, _ := member(suggestion(p, "carousel"), "id")
		p.post("/v1/renders", fmt.Sprintf(`{"recording_id":"{recording}","suggestion_id":%q}`, fmt.Sprint(id))).want(400)
	}},
	{"suggestions.not-completed", answers("GET", "/v1/recordings/{failed}/clip-suggestions", "", 400)},
	{"suggestions.unknown", answers("GET", "/v1/recordings/{missing}/clip-suggestions", "", 404)},
}
