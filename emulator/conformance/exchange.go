package conformance

import (
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// Exchange is one request and its response, for a report. Secrets are redacted and long bodies cut.
type Exchange struct {
	Method   string            `json:"method"`
	URL      string            `json:"url"`
	Request  string            `json:"request_body,omitempty"`
	As       string            `json:"as"` // role whose secret it carried: "platform", "nobody", …
	Status   int               `json:"status"`
	Headers  map[string]string `json:"response_headers,omitempty"`
	Response string            `json:"response_body,omitempty"`
}

// maxShownBody is the number of bytes of a body that a report shows.
const maxShownBody = 2 << 10

// shownHeaders lists the response headers that a report shows.
var shownHeaders = []string{"Content-Type", "Content-Disposition", "Allow", "Location", "Retry-After", "WWW-Authenticate", "X-Request-Id"}

var (
	webhookSecret = lazyregexp.New(`whsec_[A-Za-z0-9+/=_-]+`)
	// signedQuery matches the query of a signed URL in JSON; anyone who has that query may read or write the object.
	signedQuery = lazyregexp.New(`((?:upload_url|asset_url)"\s*:\s*"[^"?]*)\?[^"]*`)
)

// redacted returns text with secrets and signatures replaced.
func (s *session) redacted(text string) string {
	for _, secret := range s.secrets {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "[secret]")
		}
	}
	text = webhookSecret.ReplaceAllString(text, "whsec_[secret]")
	return signedQuery.ReplaceAllString(text, "$1?[signature]")
}

// shown returns a body as a report shows it: redacted and cut.
func (s *session) shown(body []byte) string {
	if !utf8.Valid(body) {
		return "(binary)"
	}
	text := s.redacted(string(body))
	if len(text) > maxShownBody {
		text = strings.ToValidUTF8(text[:maxShownBody], "") + "…"
	}
	return text
}

// exchange converts an answer for a report; nil if no request was sent.
func (s *session) exchange(a answer) *Exchange {
	if a.method == "" {
		return nil
	}
	address := a.url
	if !strings.HasPrefix(address, s.config.BaseURL+"/v1") {
		address, _, _ = strings.Cut(address, "?")
	}
	x := &Exchange{
		Method: a.method, URL: s.redacted(address), As: string(a.as), Status: a.status, Headers: map[string]string{},
		Request: s.shown([]byte(a.sent)), Response: s.shown(a.body),
	}
	for _, name := range shownHeaders {
		if v := a.header.Get(name); v != "" {
			x.Headers[name] = s.redacted(v)
		}
	}
	return x
}

// isAPI reports whether an answer came from /v1, whose bodies are JSON.
func (a answer) isAPI(base string) bool {
	return strings.HasPrefix(a.url, base+"/v1/") && a.status != 0 && a.method != http.MethodHead
}
