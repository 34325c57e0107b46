package conformance

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxBody is the limit on the body read of an answer, 64 MiB: enough for a clip of several seconds.
const maxBody = 64 << 20

func (p *probe) get(path string) answer         { return p.call(http.MethodGet, path, "") }
func (p *probe) post(path, body string) answer  { return p.call(http.MethodPost, path, body) }
func (p *probe) patch(path, body string) answer { return p.call(http.MethodPatch, path, body) }
func (p *probe) delete(path string) answer      { return p.call(http.MethodDelete, path, "") }
func (p *probe) named(what string) string       { return p.session.named(what) }

// call sends a request to an endpoint of /v1, with placeholders such as {recording} replaced by ids. The check is not
// applicable if the server doesn't offer the endpoint, or not to the plan of the secret.
func (p *probe) call(method, path, body string) answer {
	path, body = p.expand(path), p.expand(body)
	p.offered(method, path)
	a := p.send(method, p.session.config.BaseURL+path, []byte(body), "application/json")
	switch {
	case a.status == http.StatusNotImplemented:
		p.skip("%s %s returned 501: it is not implemented", method, p.session.path(a.url))
	case a.status == http.StatusForbidden && (p.who == platform || p.who == other):
		p.skip("%s %s is not in the plan of the secret: %s", method, p.session.path(a.url), p.session.shown(a.body))
	}
	return a
}

// send sends a request to any URL. On 429 it waits as long as Retry-After says and tries again, up to 5 times in total.
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
		p.fail(a, "a valid URL", show(url))
	}
	if len(body) > 0 {
		req.Header.Set("Content-Type", contentType)
	}
	if contentType == "application/json" {
		a.sent = string(body)
	}
	if strings.HasPrefix(url, p.session.config.BaseURL+"/v1") && p.who != noSecret {
		req.Header.Set("Authorization", "Bearer "+p.session.secrets[p.who])
	}
	return p.answer(a, req)
}

// answer sends a request once and reads the response. The User-Agent names the check, so the server's log shows it.
func (p *probe) answer(a answer, req *http.Request) answer {
	req.Header.Set("User-Agent", "soundstage-conformance ("+p.name+")")
	resp, err := p.session.client.Do(req)
	if err != nil {
		if p.ctx.Err() != nil {
			p.skip("the run was stopped")
		}
		p.fail(a, "a response", p.session.redacted(err.Error()))
	}
	defer func() { _ = resp.Body.Close() }()
	a.status, a.header = resp.StatusCode, resp.Header
	a.body, err = io.ReadAll(io.LimitReader(resp.Body, maxBody))
	if err != nil {
		if p.ctx.Err() != nil {
			p.skip("the run was stopped")
		}
		p.fail(a, "a complete response", p.session.redacted(err.Error()))
	}
	a.value = decode(a.body)
	if a.isAPI(p.session.config.BaseURL) {
		p.session.note(a)
	}
	return a
}

// pause waits for d, but at most for the session's longest pause.
func (p *probe) pause(d time.Duration) {
	t := time.NewTimer(min(d, p.session.longestPause))
	defer t.Stop()
	select {
	case <-t.C:
	case <-p.ctx.Done():
		p.skip("the run was stopped")
	}
}
