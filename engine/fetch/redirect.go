package fetch

import (
	"net/http"
	"net/url"

	"github.com/soundstage-dev/soundstage/engine"
)

// maxRedirects is how many redirects are followed.
const maxRedirects = 5

// get asks for u and follows redirects. It does so itself, and not with http.Client, because that reads the body of a
// redirect without a time limit and tells the next server the address it came from, which may be signed.
func (d *download) get(u *url.URL) (*http.Response, error) {
	for hops := 0; ; hops++ {
		res, err := d.ask(u)
		if err != nil {
			return nil, d.watch.failure(err)
		}
		location := res.Header.Get("Location")
		if !isRedirect(res.StatusCode) || location == "" {
			return res, nil
		}
		_ = res.Body.Close()
		if hops == maxRedirects {
			return nil, engine.Errorf(engine.CodeDownload, op, "The address redirects more than %d times.", maxRedirects)
		}
		if u, err = d.c.guard.follow(u, location); err != nil {
			return nil, err
		}
	}
}

func (d *download) ask(u *url.URL) (*http.Response, error) {
	req, err := http.NewRequestWithContext(d.watch.try, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	d.addHeader(req.Header, u)
	d.addRange(req.Header)
	return d.c.transport.RoundTrip(req)
}

// isRedirect reports whether the status sends a GET somewhere else. Source: RFC 9110 section 15.4.
func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// follow returns where a redirect leads: under the same rules as the first address, and never from https to http.
func (g guard) follow(from *url.URL, location string) (*url.URL, error) {
	to, err := from.Parse(location)
	if err == nil {
		to, err = g.check(to.String())
	}
	if err = withoutURL(err); err != nil {
		return nil, engine.Errorf(engine.CodeDownload, op, "The address redirects to one that can't be used.").Because(err)
	}
	if from.Scheme == "https" && to.Scheme == "http" {
		return nil, engine.Errorf(engine.CodeDownload, op, "The address redirects from https to http, which is not safe.")
	}
	return to, nil
}
