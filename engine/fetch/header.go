package fetch

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// maxHeaderValue limits the value of one requested header, in bytes.
const maxHeaderValue = 8 << 10

// crossOriginHeaders lists headers that may go to every server. sameOriginHeaders lists headers that reveal a page or a session, and so may go only
// to the first origin (RFC 9110, section 17.9). No other header is sent: it could change the request, its sender, or its framing.
var (
	crossOriginHeaders = map[string]bool{"Accept": true, "Accept-Language": true, "User-Agent": true}
	sameOriginHeaders  = map[string]bool{"Cookie": true, "Origin": true, "Referer": true}
)

// allowedHeader returns the requested headers that may be sent.
func allowedHeader(asked map[string]string) (http.Header, error) {
	kept := http.Header{}
	for name, value := range asked {
		name = http.CanonicalHeaderKey(name)
		if !crossOriginHeaders[name] && !sameOriginHeaders[name] {
			continue
		}
		if len(value) > maxHeaderValue || strings.ContainsFunc(value, isControl) {
			return nil, engine.Errorf(engine.CodeInvalid, op, "The value of header %s is longer than 8 KiB or contains control characters.", name)
		}
		kept.Set(name, value)
	}
	return kept, nil
}

// isControl reports whether a rune is not allowed in a header value. Source: RFC 9110, section 5.5.
func isControl(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

// addHeader adds the headers that may be sent to u.
func (d *download) addHeader(h http.Header, u *url.URL) {
	h.Set("User-Agent", UserAgent)
	h.Set("Accept", "*/*")
	for name, values := range d.header {
		if crossOriginHeaders[name] || sameOrigin(u, d.start) {
			h[name] = values
		}
	}
	h.Set("Accept-Encoding", "identity")
}

// sameOrigin reports whether two checked URLs have the same origin. Source: RFC 6454, section 5.
func sameOrigin(a, b *url.URL) bool { return a.Scheme == b.Scheme && a.Host == b.Host }
