package traffic

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// Entry is one exchange: a request and its response. Entries are immutable; callers must not change them.
type Entry struct {
	Number   int64     `json:"number"` // 1 for the first exchange that ended
	Time     time.Time `json:"time"`   // start of the exchange, on the world's clock
	Method   string    `json:"method"`
	Path     string    `json:"path"`               // escaped, as sent
	Op       string    `json:"op,omitempty"`       // operation ID in the contract, "" when unknown
	Resource string    `json:"resource,omitempty"` // first resource ID in the path
	Query    string    `json:"query,omitempty"`    // without signatures
	Proto    string    `json:"proto"`              // "HTTP/1.1"
	Host     string    `json:"host"`
	TLS      bool      `json:"tls,omitempty"`

	RequestHeaders  http.Header `json:"request_headers"` // secrets are cut to their prefix
	RequestBody     Body        `json:"request_body"`    // what was read from it
	Status          int         `json:"status"`          // the API's status; 0 when it sent no response
	ResponseHeaders http.Header `json:"response_headers"`
	ResponseBody    Body        `json:"response_body"` // as the API wrote it, even when a fault withheld it from the client
	Aborted         bool        `json:"aborted,omitempty"`

	Duration time.Duration `json:"-"`                   // on the wall clock; duration_ms in JSON
	Tier     string        `json:"tier,omitempty"`      // the caller's tier, "" when unauthenticated
	Key      string        `json:"key,omitempty"`       // ID of the caller's API key
	Secret   string        `json:"secret,omitempty"`    // prefix of the secret that was sent, and its last 4 characters if it is the caller's
	Fault    string        `json:"fault,omitempty"`     // ID of the fault that hit it
	Reason   string        `json:"reason,omitempty"`    // rule that rejected it, from the header X-Soundstage-Reason
	ResendOf int64         `json:"resend_of,omitempty"` // number of the exchange that it repeats

	// Original headers, redacted on first read, which also sets Secret, because few entries are ever read. Nothing else modifies them.
	requestHeader, responseHeader http.Header
	sent                          sentRequest
}

// sentRequest is what Resend needs of a request and the log doesn't show. It is only in memory.
type sentRequest struct {
	header http.Header // with secrets; nil until the entry is redacted
	body   []byte      // with secrets; nil until the entry is redacted
	query  string      // with signatures
	length int64       // Content-Length, -1 when unknown
	whole  bool        // the API read the body to its end
}

// redact removes secrets from the headers and bodies if that hasn't happened yet. The caller holds the log's lock.
func (e *Entry) redact() *Entry {
	if e.requestHeader != nil {
		e.Secret = e.shownSecret()
		e.sent.header, e.sent.body = e.requestHeader, e.RequestBody.Data
		e.RequestHeaders, e.requestHeader = redactHeaders(e.requestHeader), nil
		e.RequestBody.Data, e.ResponseBody.Data = redactText(e.RequestBody.Data), redactText(e.ResponseBody.Data)
	}
	if e.responseHeader != nil {
		e.ResponseHeaders, e.responseHeader = redactHeaders(e.responseHeader), nil
	}
	return e
}

// shownSecret returns Secret, also while the entry isn't redacted.
func (e *Entry) shownSecret() string {
	if sent := e.requestHeader.Get("Authorization"); sent != "" {
		return maskSecret(sent, e.Key != "")
	}
	return e.Secret
}

// MarshalJSON writes the duration in milliseconds.
func (e *Entry) MarshalJSON() ([]byte, error) {
	type plain Entry
	return json.Marshal(struct {
		*plain
		DurationMS float64 `json:"duration_ms"`
	}{(*plain)(e), millis(e.Duration)})
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// size returns the approximate memory of an unread entry, in bytes.
func (e *Entry) size() int64 {
	const fixed = 700
	n := fixed + len(e.Path) + len(e.Query) + cap(e.RequestBody.Data) + cap(e.ResponseBody.Data)
	for _, h := range []http.Header{e.requestHeader, e.responseHeader} {
		for name, values := range h {
			n += 64 + len(name)
			for _, v := range values {
				n += 16 + len(v)
			}
		}
	}
	return int64(n)
}

// Body is the body of a request or a response.
type Body struct {
	Data      []byte // the first bytes
	Bytes     int64  // total length
	Truncated bool   // Data is shorter than Bytes
}

// MarshalJSON writes the bytes as text, or as base64 when they aren't UTF-8.
func (b Body) MarshalJSON() ([]byte, error) {
	out := struct {
		Text      *string `json:"text,omitempty"`
		Base64    []byte  `json:"base64,omitempty"`
		Bytes     int64   `json:"bytes"`
		Truncated bool    `json:"truncated"`
	}{Bytes: b.Bytes, Truncated: b.Truncated}
	if text, ok := b.text(); ok {
		out.Text = &text
	} else {
		out.Base64 = b.Data
	}
	return json.Marshal(out)
}

// text returns the bytes as text, without a character that was cut at the end. It returns false when they aren't UTF-8.
func (b Body) text() (string, bool) {
	data := b.Data
	for i := 0; b.Truncated && i < utf8.UTFMax && !utf8.Valid(data) && len(data) > 0; i++ {
		data = data[:len(data)-1]
	}
	return string(data), utf8.Valid(data)
}

func (b *Body) add(p []byte, most int) {
	b.Bytes += int64(len(p))
	room := most - len(b.Data)
	if room < len(p) {
		b.Truncated = true
		p = p[:max(room, 0)]
	}
	if len(p) > 0 {
		b.Data = append(b.Data, p...)
	}
}

// watchedBody records what is read from a request's body.
type watchedBody struct {
	io.ReadCloser
	x *exchange
}

func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if !b.x.logged {
		b.x.entry.RequestBody.add(p[:n], b.x.t.maxBody)
		b.x.entry.sent.whole = errors.Is(err, io.EOF)
	}
	return n, err
}

// contentLength returns the Content-Length, or -1 when it is missing or invalid.
func contentLength(h http.Header) int64 {
	n, err := strconv.ParseInt(h.Get("Content-Length"), 10, 64)
	if err != nil || n < 0 {
		return -1
	}
	return n
}

const redacted = "***"

// secretText matches a prefix (group 1) and a secret: a webhook's signing secret, or a query parameter with a signature or a key. The
// parameter may be in a URL in JSON or in another URL.
var secretText = lazyregexp.New(`(whsec_|(?i:(?:^|[?&;]|\\u0026|%26|%3F)(?:sig|api_key|apikey|x-api-key)(?:=|%3D)))[^\s"'<>&;\\,]+`)

// redactText replaces the secrets in a text by ***. It returns the text itself if there are none.
func redactText(text []byte) []byte {
	if !secretText.Match(text) {
		return text
	}
	return secretText.ReplaceAll(text, []byte("${1}"+redacted))
}

// redactQuery replaces signatures and keys in a query.
func redactQuery(query string) string {
	if query == "" {
		return ""
	}
	return secretText.ReplaceAllString(query, "${1}"+redacted)
}

// secretHeaders are the headers whose values are redacted.
var secretHeaders = []string{"Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-Api-Key", "X-Soundstage-Token"}

// redactHeaders returns a copy of the headers without secrets. The copy shares value slices, which are replaced, never written to.
func redactHeaders(h http.Header) http.Header {
	c := maps.Clone(h)
	for _, name := range secretHeaders {
		if len(c[name]) == 0 {
			continue
		}
		c[name] = slices.Clone(c[name])
		for i, v := range c[name] {
			c[name][i] = redactSecret(v)
		}
	}
	return c
}

// maskSecret returns the prefix of the secret in a header Authorization. If the secret is known, it adds the last 4 characters, which lists of
// keys show, too. An unknown one may be a short password, or be meant for another server.
func maskSecret(authorization string, known bool) string {
	shown := redactSecret(authorization)
	shown = shown[strings.IndexByte(shown, ' ')+1:]
	if known {
		shown += authorization[max(0, len(authorization)-4):]
	}
	return shown
}

// redactSecret keeps the scheme and the prefix of a secret: "Bearer sk_sandbox_***".
func redactSecret(v string) string {
	const most = 12 // bytes that may be a prefix
	scheme, secret, ok := strings.Cut(v, " ")
	if !ok {
		return redacted
	}
	prefix := secret[:min(len(secret), most)]
	return scheme + " " + prefix[:strings.LastIndexByte(prefix, '_')+1] + redacted
}
