package conformance

import (
	"net/http"
	"strings"
)

// refusedNoSecret returns the answer to a request without a secret.
func refusedNoSecret(p *probe) answer {
	return once(p, "answer to a request without a secret", func(p *probe) answer { return p.as(noSecret).get("/v1/spaces") }).reportTo(p)
}

// refusedUnknownSecret returns the answer to a request with an unknown secret.
func refusedUnknownSecret(p *probe) answer {
	return once(p, "answer to a request with an unknown secret", func(p *probe) answer { return p.as(unknownSecret).get("/v1/spaces") }).reportTo(p)
}

var authChecks = []check{
	{"auth.header", func(p *probe) { p.get("/v1/spaces").accepted() }},
	{"auth.every-endpoint", func(p *probe) {
		asked := p.as(noSecret)
		for _, e := range endpoints() {
			if !p.has(e) {
				continue
			}
			path, body := placeholder.ReplaceAllString(e.path, p.session.unknownID), ""
			if e.method != http.MethodGet {
				body = "{}"
			}
			a := asked.send(e.method, p.session.config.BaseURL+path, []byte(body), "application/json").reportTo(p)
			p.want(a, a.status == http.StatusUnauthorized || a.status == http.StatusForbidden, "status 401 or 403", show(a.status))
		}
	}},
	{"auth.missing-401", func(p *probe) {
		a := refusedNoSecret(p).want(401)
		p.want(a, strings.HasPrefix(a.header.Get("WWW-Authenticate"), "Bearer"), "WWW-Authenticate: Bearer", a.header.Get("WWW-Authenticate"))
	}},
	{"auth.before-path", func(p *probe) {
		p.as(noSecret).call(http.MethodGet, "/v1/no-such-endpoint", "").want(401)
		p.as(noSecret).call(http.MethodDelete, "/v1/spaces", "").want(401)
	}},
	{"auth.invalid-refused", func(p *probe) { refusedUnknownSecret(p).refused() }},
	{"auth.invalid-401", func(p *probe) { refusedUnknownSecret(p).want(401) }},
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
