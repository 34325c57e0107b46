package conformance

import (
	"net/http"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Exchange is one request and its response, for the report: without secrets, long bodies cut.
type Exchange struct {
	Method   string            `json:"method"`
	URL      string            `json:"url"`
	Request  string            `json:"request_body,omitempty"`
	As       string            `json:"as"` // whose secret it had: "platform", "nobody", …
	Status   int               `json:"status"`
	Headers  map[string]string `json:"response_headers,omitempty"`
	Response string            `json:"response_body,omitempty"`
}

// shownBody is how much of a body a report shows.
const shownBody = 2 << 10

// shownHeaders are the response headers that a report shows.
var shownHeaders = []string{"Content-Type", "Content-Disposition", "Allow", "Location", "Retry-After", "WWW-Authenticate", "X-Request-Id"}

var (
	webhookSecret = regexp.MustCompile(`whsec_[A-Za-z0-9+/=_-]+`)
	// signedQuery is the query of an address that is a value of JSON or the request line itself: whoever has it may write.
	signedQuery = regexp.MustCompile(`((?:upload_url|asset_url)"\s*:\s*"[^"?]*)\?[^"]*`)
)

// redacted makes text fit for a report.
func (s *session) redacted(text string) string {
	for _, secret := range s.secrets {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "[secret]")
		}
	}
	text = webhookSecret.ReplaceAllString(text, "whsec_[secret]")
	return signedQuery.ReplaceAllString(text, "$1?[signature]")
}

func (s *session) shown(body []byte) string {
	if !utf8.Valid(body) {
		return "(binary)"
	}
	text := s.redacted(string(body))
	if len(text) > shownBody {
		text = strings.ToValidUTF8(text[:shownBody], "") + "…"
	}
	return text
}

// exchange describes an answer for the report.
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

// isAPI reports whether an answer is one of /v1, whose errors and bodies are JSON.
func (a answer) isAPI(base string) bool {
	return strings.HasPrefix(a.url, base+"/v1/") && a.status != 0 && a.method != http.MethodHead
}
