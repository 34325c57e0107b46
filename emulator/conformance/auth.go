package conformance

import (
	"net/http"
	"strings"
)

// refusedWithout is the answer to a request without a secret.
func refusedWithout(p *probe) answer {
	return once(p, "answer to a request without a secret", func(p *probe) answer { return p.as(nobody).get("/v1/spaces") }).on(p)
}

// refusedStranger is the answer to a request with a secret that there isn't.
func refusedStranger(p *probe) answer {
	return once(p, "answer to a request with a wrong secret", func(p *probe) answer { return p.as(stranger).get("/v1/spaces") }).on(p)
}

var authChecks = []check{
	{"auth.header", func(p *probe) { p.get("/v1/spaces").accepted() }},
	{"auth.every-endpoint", func(p *probe) {
		asked := p.as(nobody)
		for _, e := range endpoints() {
			if !p.has(e) {
				continue
			}
			path, body := placeholder.ReplaceAllString(e.path, p.session.missing), ""
			if e.method != http.MethodGet {
				body = "{}"
			}
			asked.send(e.method, p.session.config.BaseURL+path, []byte(body), "application/json").refused()
		}
	}},
	{"auth.missing-401", func(p *probe) {
		a := refusedWithout(p).want(401)
		p.want(a, strings.HasPrefix(a.header.Get("WWW-Authenticate"), "Bearer"), "WWW-Authenticate: Bearer", a.header.Get("WWW-Authenticate"))
	}},
	{"auth.invalid-refused", func(p *probe) { refusedStranger(p).refused() }},
	{"auth.invalid-401", func(p *probe) { refusedStranger(p).want(401) }},
	{"auth.default-space", func(p *probe) {
		if anUpload(p).text("space_id") == "" {
			p.fail(anUpload(p), "the default space", "none")
		}
		anUpload(p).is("space_id", filled)
		spaceList(p)
		promptList(p).is("space.id", equal(anUpload(p).text("space_id")))
	}},
	{"auth.no-plan", func(p *probe) {
		p.as(noPlan).get("/v1/spaces").want(403).is("error", equal("Your plan does not include API access."))
	}},
}
