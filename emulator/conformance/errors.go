package conformance

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

var errorChecks = []check{
	{"errors.unknown-path", func(p *probe) { p.get("/v1/no-such-endpoint").want(404) }},
	{"errors.wrong-method", func(p *probe) {
		a := p.call(http.MethodDelete, "/v1/spaces", "").want(405)
		p.want(a, strings.Contains(a.header.Get("Allow"), "GET"), "Allow: GET", a.header.Get("Allow"))
	}},
	{"errors.bad-json", answers("POST", "/v1/recordings", `{"object_id":`, 400)},
	{"errors.no-object", answers("POST", "/v1/recordings", `["object_id"]`, 400)},
	{"errors.wrong-type", answers("POST", "/v1/uploads", `{"filename":7,"content_type":"audio/wav","content_size":1000}`, 400)},
	{"errors.limit-digits", func(p *probe) {
		for _, limit := range []string{"%2B5", "0x5", "5e0", "5_0", "5.0", ""} {
			p.get("/v1/recordings?limit=" + limit).want(400)
			p.get("/v1/search?query=speech&limit=" + limit).want(400)
		}
	}},
	{"errors.booleans", func(p *probe) {
		for _, value := range []string{"1", "0", "t", "TRUE", "yes", ""} {
			p.get("/v1/recordings/{recording}/transcript?format=txt&include_timestamp=" + value).want(400)
			p.get("/v1/recordings/{recording}/clip-suggestions?generate=" + value).want(400)
		}
	}},
	{"errors.unknown-members", accepts("POST", "/v1/uploads", `{"filename":"{name}.wav","content_type":"audio/wav","content_size":1000,"no_such_member":true}`)},
	{"errors.order", func(p *probe) {
		p.as(noSecret).post("/v1/renders", `{"recording_id":7}`).want(401)
		p.as(core).post("/v1/renders", `{"recording_id":7}`).want(403)
		p.post("/v1/renders", `{"recording_id":"{missing}","start_ms":"soon"}`).want(400)
	}},
}

// everyAnswerChecks examine all /v1 answers that the other checks received.
var everyAnswerChecks = []check{
	{"errors.general", func(p *probe) {
		for _, a := range p.session.seen() {
			if a.status < 400 || isValidation(a) {
				continue
			}
			a.reportTo(p).is("error", filled)
		}
	}},
	{"errors.only-error", func(p *probe) {
		for _, a := range p.session.seen() {
			if a.status < 400 || isValidation(a) || a.status == http.StatusForbidden {
				continue
			}
			p.want(a, slices.Equal(keys(a.value), []string{"error"}), `a body with "error" only`, a.value)
		}
	}},
	{"answers.json", func(p *probe) {
		for _, a := range p.session.seen() {
			if a.status == http.StatusNoContent || a.status < 300 && strings.Contains(a.url, "/transcript?") {
				continue
			}
			p.want(a, strings.HasPrefix(a.header.Get("Content-Type"), "application/json") && a.value != nil, "a JSON body, as its Content-Type says", a.header.Get("Content-Type"))
		}
	}},
	{"answers.no-5xx", func(p *probe) {
		for _, a := range p.session.seen() {
			p.want(a, a.status < 500 || a.status == http.StatusNotImplemented, "no status 5xx", fmt.Sprint(a.status))
		}
	}},
	{"answers.ids", func(p *probe) {
		for _, a := range p.session.seen() {
			for _, path := range []string{"id", "recording.id", "render.id", "speaker.id", "prompt.id", "webhook.id", "chat_id", "output_id"} {
				if v, ok := a.at(path); ok {
					p.want(a, uuid.fits(v), path+": "+uuid.name, v)
				}
			}
		}
	}},
	{"answers.timestamps", func(p *probe) {
		for _, a := range p.session.seen() {
			for _, path := range []string{"recording.created_at", "render.created_at", "created_at", "webhook.created_at", "webhook.updated_at"} {
				if v, ok := a.at(path); ok && v != nil {
					p.want(a, seconds.fits(v), path+": "+seconds.name, v)
				}
			}
		}
	}},
}

// isValidation reports whether an answer is a validation error of POST /v1/transcripts, which lists errors by field.
func isValidation(a answer) bool {
	_, ok := a.at("errors")
	return ok && a.method == http.MethodPost && strings.HasSuffix(a.url, "/v1/transcripts")
}
