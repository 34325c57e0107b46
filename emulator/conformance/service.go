package conformance

import (
	"fmt"
	"strings"
)

// serviceChecks decide the statements about the service as a whole.
var serviceChecks = []check{
	{"service.results-in-spaces", func(p *probe) {
		id := audioRecording(p).id
		a := p.get("/v1/recordings?space_id={space}&query=" + p.named("talk")).ok()
		for _, r := range a.list("recordings") {
			if v, _ := member(r, "id"); v == id {
				return
			}
		}
		p.fail(a, "the recording in the list of its space", "not in the list")
	}},
	{"service.url-creates-nothing", func(p *probe) {
		aTranscript(p)
		a := p.get("/v1/recordings?query=" + p.named("url")).ok()
		p.want(a, len(a.list("recordings")) == 0, "no recording", a.value)
	}},
	{"service.diarization-default", func(p *probe) {
		t := aTranscript(p).reportTo(p).last
		labels := map[string]bool{}
		for _, u := range t.list("utterances") {
			if s, ok := member(u, "speaker"); ok {
				labels[fmt.Sprint(s)] = true
			}
		}
		least := 1
		if p.ownMedia() {
			least = 2 // the conversation has two speakers
		}
		p.want(t, len(labels) >= least, fmt.Sprintf("at least %d speakers", least), len(labels))
	}},
	{"service.asynchronous", func(p *probe) {
		w := audioRecording(p).work.reportTo(p)
		p.want(w.first, len(w.seen) > 0 && w.seen[0] != "completed", "a response before the work is completed", strings.Join(w.seen, ", "))
	}},
	{"service.only-custom-prompts", refuses("POST", "/v1/recordings/{recording}/generate", `{"prompt_id":"{builtin}"}`)},
	{"version.prefix", func(p *probe) {
		p.get("/v1/spaces").accepted()
		a := p.send("GET", p.session.config.BaseURL+"/spaces", nil, "")
		_, ok := a.at("spaces")
		p.want(a, !ok, "no endpoint outside of /v1", "spaces are listed at /spaces")
	}},
}
