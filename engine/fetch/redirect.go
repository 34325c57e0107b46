package fetch

import (
	"net/http"
	"net/url"

	"github.com/soundstage-dev/soundstage/engine"
)

// maxRedirects is the maximum number of redirects that a download follows.
const maxRedirects = 5

// get requests u and follows redirects. It doesn't use http.Client, which reads the body of a redirect without a time
// limit and sends the previous URL, which may be signed, as Referer.
func (d *download) get(u *url.URL) (*http.Response, error) {
	for hops := 0; ; hops++ {
		res, err := d.ask(u)
		if err != nil {
			return nil, d.watch.requestError(err)
		}
		location := res.Header.Get("Location")
		if !isRedirect(res.StatusCode) || location == "" {
			return res, nil
		}
		_ = res.Body.Close()
		if hops == maxRedirects {
			return nil, engine.Errorf(engine.CodeDownload, op, "The URL redirects more than %d times.", maxRedirects)
		}
		if u, err = d.c.guard.follow(u, location); err != nil {
			return nil, err
		}
	}
}

func (d *download) ask(u *url.URL) (*http.Response, error) {
	req, err := http.NewRequestWithContext(d.watch.attempt, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	d.addHeader(req.Header, u)
	d.addRange(req.Header)
	return d.c.transport.RoundTrip(req)
}

// isRedirect reports whether the status redirects a GET. Source: RFC 9110, section 15.4.
func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// follow returns the target of a redirect. The target must obey the same rules as the first URL, and must not go from
// https to http.
func (g guard) follow(from *url.URL, location string) (*url.URL, error) {
	to, err := from.Parse(location)
	if err == nil {
		to, err = g.check(to.String())
	}
	if err = withoutURL(err); err != nil {
		return nil, engine.Errorf(engine.CodeDownload, op, "The URL redirects to an invalid URL.").Because(err)
	}
	if from.Scheme == "https" && to.Scheme == "http" {
		return nil, engine.Errorf(engine.CodeDownload, op, "The URL redirects from https to http, which is not safe.")
	}
	return to, nil
}
