package conformance

import (
	"fmt"
	"slices"
	"strings"
)

// hiddenFromOthers checks that another user gets 404 for a resource, with the same body as for an unknown id.
func hiddenFromOthers(method, path, id, body string) func(*probe) {
	return func(p *probe) {
		theirs := p.expand(id) // its owner creates it before the other user requests it
		ask := func(id string) answer {
			return p.as(other).call(method, strings.ReplaceAll(path, "{it}", id), strings.ReplaceAll(body, "{it}", id))
		}
		a := ask(theirs).want(404)
		missing := ask(p.session.unknownID)
		p.want(a, string(a.body) == strings.ReplaceAll(string(missing.body), p.session.unknownID, theirs), "the body for an unknown id: "+string(missing.body), string(a.body))
	}
}

var isolationChecks = []check{
	{"isolation.recordings", all(hiddenFromOthers("GET", "/v1/recordings/{it}", "{recording}", ""), hiddenFromOthers("GET", "/v1/recordings/{it}/transcript", "{recording}", ""))},
	{"isolation.outputs", all(hiddenFromOthers("GET", "/v1/recordings/{it}/outputs", "{recording}", ""), hiddenFromOthers("GET", "/v1/outputs/{it}", "{output}", ""))},
	{"isolation.labels", all(hiddenFromOthers("GET", "/v1/recordings/{it}/speakers", "{recording}", ""),
		hiddenFromOthers("POST", "/v1/recordings/{it}/speakers/assign", "{recording}", `{"label":"Speaker 0","speaker_id":"{missing}"}`))},
	{"isolation.generation", hiddenFromOthers("POST", "/v1/recordings/{it}/generate", "{recording}", `{"prompt":"Summarize."}`)},
	{"isolation.spaces", all(hiddenFromOthers("GET", "/v1/spaces/{it}/speakers", "{space}", ""), hiddenFromOthers("GET", "/v1/prompts?space_id={it}", "{space}", ""))},
	{"isolation.uploads", hiddenFromOthers("POST", "/v1/uploads", "{space}", `{"filename":"a.wav","content_type":"audio/wav","content_size":1000,"space_id":"{it}"}`)},
	{"isolation.speakers", hiddenFromOthers("PATCH", "/v1/speakers/{it}", "{speaker}", `{"bio":"Mine."}`)},
	{"isolation.transcripts", hiddenFromOthers("GET", "/v1/transcripts/{it}", "{transcript}", "")},
	{"isolation.imports", hiddenFromOthers("GET", "/v1/imports/{it}", "{import}", "")},
	{"isolation.chat", all(hiddenFromOthers("GET", "/v1/chat/{it}", "{chat}", ""), hiddenFromOthers("POST", "/v1/chat", "{recording}", `{"message":"What?","recording_ids":["{it}"]}`))},
	{"isolation.renders", all(hiddenFromOthers("GET", "/v1/renders/{it}", "{render}", ""), hiddenFromOthers("POST", "/v1/renders", "{recording}", `{"recording_id":"{it}","start_ms":0,"end_ms":1000}`))},
	{"isolation.webhooks", hiddenFromOthers("GET", "/v1/webhooks/{it}", "{webhook}", "")},
	{"isolation.lists", func(p *probe) {
		mine := audioRecording(p).id
		a := p.as(other).get("/v1/recordings?query=" + p.session.nonce).accepted()
		p.want(a, !slices.Contains(idsOf(a.list("recordings")), mine), "no recordings of other users", a.value)
	}},
	{"isolation.spaces-list", func(p *probe) {
		a := p.as(other).get("/v1/spaces").accepted()
		p.want(a, !slices.Contains(idsOf(a.list("spaces")), fmt.Sprint(p.expand("{space}"))), "no spaces of other users", a.value)
	}},
}
