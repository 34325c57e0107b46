package conformance

import (
	"fmt"
	"strings"
)

// serviceChecks decide what the service is as a whole.
var serviceChecks = []check{
	{"service.results-in-spaces", func(p *probe) {
		id := talk(p).id
		a := p.get("/v1/recordings?space_id={space}&query=" + p.named("talk")).ok()
		for _, r := range a.list("recordings") {
			if v, _ := member(r, "id"); v == id {
				return
			}
		}
		p.fail(a, "the recording among those of its space", "not among them")
	}},
	{"service.url-creates-nothing", func(p *probe) {
		aTranscript(p)
		a := p.get("/v1/recordings?query=" + p.named("url")).ok()
		p.want(a, len(a.list("recordings")) == 0, "no recording", a.value)
	}},
	{"service.diarization-default", func(p *probe) {
		t := aTranscript(p).on(p).last
		labels := map[string]bool{}
		for _, u := range t.list("utterances") {
			if s, ok := member(u, "speaker"); ok {
				labels[fmt.Sprint(s)] = true
			}
		}
		least := 1
		if p.ownMedia() {
			least = 2 // that is how many talk
		}
		p.want(t, len(labels) >= least, fmt.Sprintf("at least %d speakers", least), len(labels))
	}},
	{"service.asynchronous", func(p *probe) {
		w := talk(p).work.on(p)
		p.want(w.first, len(w.seen) > 0 && w.seen[0] != "completed", "an answer before the work is done", strings.Join(w.seen, ", "))
	}},
	{"service.only-custom-prompts", refuses("POST", "/v1/recordings/{recording}/generate", `{"prompt_id":"{builtin}"}`)},
	{"service.automatic-generation", func(p *probe) {
		outputs := afterPrompt(p).on(p)
		for _, o := range outputs.list("outputs") {
			if kind, _ := member(o, "output_type"); kind != nil && kind != "dynamic" {
				return
			}
		}
		p.skip("the space has automatic content generation off")
	}},
	{"version.prefix", func(p *probe) {
		p.get("/v1/spaces").accepted()
		a := p.send("GET", p.session.config.BaseURL+"/spaces", nil, "")
		_, ok := a.at("spaces")
		p.want(a, !ok, "no endpoint outside of /v1", "spaces are listed at /spaces")
	}},
}
