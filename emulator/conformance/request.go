package conformance

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// mostBody is the most that is read of an answer: a captioned clip of two seconds and more.
const mostBody = 64 << 20

func (p *probe) get(path string) answer         { return p.call(http.MethodGet, path, "") }
func (p *probe) post(path, body string) answer  { return p.call(http.MethodPost, path, body) }
func (p *probe) patch(path, body string) answer { return p.call(http.MethodPatch, path, body) }
func (p *probe) delete(path string) answer      { return p.call(http.MethodDelete, path, "") }
func (p *probe) named(what string) string       { return p.session.named(what) }

// call sends a request to an endpoint of /v1. Names in braces stand for ids: "{recording}". Not applicable when the server
// doesn't offer the endpoint, or not to the plan of the secret.
func (p *probe) call(method, path, body string) answer {
	path, body = p.expand(path), p.expand(body)
	p.offered(method, path)
	a := p.send(method, p.session.config.BaseURL+path, []byte(body), "application/json")
	switch {
	case a.status == http.StatusNotImplemented:
		p.skip("%s %s answers 501: it is not implemented", method, p.session.path(a.url))
	case a.status == http.StatusForbidden && (p.who == platform || p.who == other):
		p.skip("%s %s is not in the plan of the secret: %s", method, p.session.path(a.url), p.session.shown(a.body))
	}
	return a
}

// send sends a request to any address; one with a body says what it is. It waits when the server asks it to slow down.
func (p *probe) send(method, url string, body []byte, contentType string) answer {
	for try := 1; ; try++ {
		a := p.sendOnce(method, url, body, contentType)
		wait, err := strconv.Atoi(a.header.Get("Retry-After"))
		if a.status != http.StatusTooManyRequests || err != nil || try == 5 {
			return a
		}
		p.pause(time.Duration(wait) * time.Second)
	}
}

func (p *probe) sendOnce(method, url string, body []byte, contentType string) answer {
	a := answer{probe: p, method: method, url: url, as: p.who}
	req, err := http.NewRequestWithContext(p.ctx, method, url, bytes.NewReader(body))
	if err != nil {
		p.fail(a, "an address", show(url))
	}
	if len(body) > 0 {
		req.Header.Set("Content-Type", contentType)
	}
	if contentType == "application/json" {
		a.sent = string(body)
	}
	if strings.HasPrefix(url, p.session.config.BaseURL+"/v1") && p.who != nobody {
		req.Header.Set("Authorization", "Bearer "+p.session.secrets[p.who])
	}
	return p.answer(a, req)
}

// answer sends a request once and reads what comes back. The server's log can tell by User-Agent which check asks.
func (p *probe) answer(a answer, req *http.Request) answer {
	req.Header.Set("User-Agent", "soundstage-conformance ("+p.name+")")
	resp, err := p.session.client.Do(req)
	if err != nil {
		if p.ctx.Err() != nil {
			p.skip("the run was stopped")
		}
		p.fail(a, "an answer", p.session.redacted(err.Error()))
	}
	defer func() { _ = resp.Body.Close() }()
	a.status, a.header = resp.StatusCode, resp.Header
	a.body, err = io.ReadAll(io.LimitReader(resp.Body, mostBody))
	if err != nil {
		if p.ctx.Err() != nil {
			p.skip("the run was stopped")
		}
		p.fail(a, "a whole answer", p.session.redacted(err.Error()))
	}
	a.value = decode(a.body)
	if a.isAPI(p.session.config.BaseURL) {
		p.session.note(a)
	}
	return a
}

// pause waits between two polls.
func (p *probe) pause(d time.Duration) {
	t := time.NewTimer(min(d, p.session.longestPause))
	defer t.Stop()
	select {
	case <-t.C:
	case <-p.ctx.Done():
		p.skip("the run was stopped")
	}
}
