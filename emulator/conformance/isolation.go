package conformance

import (
	"fmt"
	"slices"
	"strings"
)

// foreign checks that a resource is to another user as if it weren't there: 404, with the body that a missing id gets.
func foreign(method, path, id, body string) func(*probe) {
	return func(p *probe) {
		theirs := p.expand(id) // made by its owner, before the other asks for it
		ask := func(id string) answer {
			return p.as(other).call(method, strings.ReplaceAll(path, "{it}", id), strings.ReplaceAll(body, "{it}", id))
		}
		a := ask(theirs).want(404)
		missing := ask(p.session.missing)
		p.want(a, string(a.body) == strings.ReplaceAll(string(missing.body), p.session.missing, theirs), "the body of a missing one: "+string(missing.body), string(a.body))
	}
}

var isolationChecks = []check{
	{"isolation.recordings", all(foreign("GET", "/v1/recordings/{it}", "{recording}", ""), foreign("GET", "/v1/recordings/{it}/transcript", "{recording}", ""))},
	{"isolation.outputs", all(foreign("GET", "/v1/recordings/{it}/outputs", "{recording}", ""), foreign("GET", "/v1/outputs/{it}", "{output}", ""))},
	{"isolation.labels", all(foreign("GET", "/v1/recordings/{it}/speakers", "{recording}", ""),
		foreign("POST", "/v1/recordings/{it}/speakers/assign", "{recording}", `{"label":"Speaker 0","speaker_id":"{missing}"}`))},
	{"isolation.generation", foreign("POST", "/v1/recordings/{it}/generate", "{recording}", `{"prompt":"Summarize."}`)},
	{"isolation.spaces", all(foreign("GET", "/v1/spaces/{it}/speakers", "{space}", ""), foreign("GET", "/v1/prompts?space_id={it}", "{space}", ""))},
	{"isolation.uploads", foreign("POST", "/v1/uploads", "{space}", `{"filename":"a.wav","content_type":"audio/wav","content_size":1000,"space_id":"{it}"}`)},
	{"isolation.speakers", foreign("PATCH", "/v1/speakers/{it}", "{speaker}", `{"bio":"Mine."}`)},
	{"isolation.transcripts", foreign("GET", "/v1/transcripts/{it}", "{transcript}", "")},
	{"isolation.imports", foreign("GET", "/v1/imports/{it}", "{import}", "")},
	{"isolation.chat", all(foreign("GET", "/v1/chat/{it}", "{chat}", ""), foreign("POST", "/v1/chat", "{recording}", `{"message":"What?","recording_ids":["{it}"]}`))},
	{"isolation.renders", all(foreign("GET", "/v1/renders/{it}", "{render}", ""), foreign("POST", "/v1/renders", "{recording}", `{"recording_id":"{it}","start_ms":0,"end_ms":1000}`))},
	{"isolation.webhooks", foreign("GET", "/v1/webhooks/{it}", "{webhook}", "")},
	{"isolation.lists", func(p *probe) {
		mine := talk(p).id
		a := p.as(other).get("/v1/recordings?query=" + p.session.nonce).accepted()
		p.want(a, !slices.Contains(idsOf(a.list("recordings")), mine), "no recording of another user", a.value)
	}},
	{"isolation.spaces-list", func(p *probe) {
		a := p.as(other).get("/v1/spaces").accepted()
		p.want(a, !slices.Contains(idsOf(a.list("spaces")), fmt.Sprint(p.expand("{space}"))), "no space of another user", a.value)
	}},
}
