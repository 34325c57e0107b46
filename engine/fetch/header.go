package fetch

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// maxHeaderValue bounds the value of one header that somebody else asked for.
const maxHeaderValue = 8 << 10

// everywhere are headers that may go to every server; atHome are those that tell of a page or a visit, and so may go only to
// the origin that they are meant for (RFC 9110, section 17.9). Every other header would change what is asked, by whom, or how
// it is framed.
var (
	everywhere = map[string]bool{"Accept": true, "Accept-Language": true, "User-Agent": true}
	atHome     = map[string]bool{"Cookie": true, "Origin": true, "Referer": true}
)

// askedHeader returns those of the asked headers that may be sent.
func askedHeader(asked map[string]string) (http.Header, error) {
	kept := http.Header{}
	for name, value := range asked {
		name = http.CanonicalHeaderKey(name)
		if !everywhere[name] && !atHome[name] {
			continue
		}
		if len(value) > maxHeaderValue || strings.ContainsFunc(value, isControl) {
			return nil, engine.Errorf(engine.CodeInvalid, op, "The header %s has a value that can't be sent.", name)
		}
		kept.Set(name, value)
	}
	return kept, nil
}

// isControl reports whether a rune has no place in a header's value. Source: RFC 9110 section 5.5.
func isControl(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

// addHeader adds to a request what it may carry to u.
func (d *download) addHeader(h http.Header, u *url.URL) {
	h.Set("User-Agent", UserAgent)
	h.Set("Accept", "*/*")
	for name, values := range d.header {
		if everywhere[name] || sameOrigin(u, d.home) {
			h[name] = values
		}
	}
	h.Set("Accept-Encoding", "identity")
}

// sameOrigin compares two checked URLs. Source: RFC 6454 section 5.
func sameOrigin(a, b *url.URL) bool { return a.Scheme == b.Scheme && a.Host == b.Host }
