package traffic

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Entry is one exchange. Entries in the log are never changed; callers must not change them either.
type Entry struct {
	Number   int64     `json:"number"` // 1 is the first exchange that ended
	Time     time.Time `json:"time"`   // when it began, on the world's clock
	Method   string    `json:"method"`
	Path     string    `json:"path"`               // as it was sent, escaped
	Op       string    `json:"op,omitempty"`       // id of the operation in the contract, "" when there is none
	Resource string    `json:"resource,omitempty"` // id that the path names first
	Query    string    `json:"query,omitempty"`    // without signatures
	Proto    string    `json:"proto"`              // "HTTP/1.1"
	Host     string    `json:"host"`
	TLS      bool      `json:"tls,omitempty"`

	RequestHeaders  http.Header `json:"request_headers"` // of secrets only their prefix
	RequestBody     Body        `json:"request_body"`    // what was read of it
	Status          int         `json:"status"`          // that the API answered with; 0 when it did not get to answer
	ResponseHeaders http.Header `json:"response_headers"`
	ResponseBody    Body        `json:"response_body"` // as the API wrote it, even when a fault kept it from the client
	Aborted         bool        `json:"aborted,omitempty"`

	Duration time.Duration `json:"-"`                // on the machine's clock; duration_ms in JSON
	Tier     string        `json:"tier,omitempty"`   // of the caller, "" when no secret opened the API
	Fault    string        `json:"fault,omitempty"`  // id of the fault that hit it
	Reason   string        `json:"reason,omitempty"` // rule that refused it, the header X-Soundstage-Reason

	// The headers as they came and went, which nobody changes any more, until somebody reads the entry. Few entries are ever read.
	asked, answered http.Header
	bytes           int64 // size, when it came into the log
}

// open makes the entry ready for readers: it has headers without secrets. The log's lock is held.
func (e *Entry) open() *Entry {
	if e.asked != nil {
		e.RequestHeaders, e.asked = redactHeaders(e.asked), nil
	}
	if e.answered != nil {
		e.ResponseHeaders, e.answered = redactHeaders(e.answered), nil
	}
	return e
}

// MarshalJSON tells the duration in milliseconds.
func (e *Entry) MarshalJSON() ([]byte, error) {
	type plain Entry
	return json.Marshal(struct {
		*plain
		DurationMS float64 `json:"duration_ms"`
	}{(*plain)(e), millis(e.Duration)})
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// size is about how many bytes of memory an entry takes that nobody has read.
func (e *Entry) size() int64 {
	const fixed = 700
	n := fixed + len(e.Path) + len(e.Query) + cap(e.RequestBody.Data) + cap(e.ResponseBody.Data)
	for _, h := range []http.Header{e.asked, e.answered} {
		for name, values := range h {
			n += 64 + len(name)
			for _, v := range values {
				n += 16 + len(v)
			}
		}
	}
	return int64(n)
}

// Body is a request's or an answer's body.
type Body struct {
	Data      []byte // its beginning
	Bytes     int64  // how many there were in all
	Truncated bool   // whether Data lacks some of them
}

// MarshalJSON tells the bytes as text, or as base64 when they aren't UTF-8.
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

// text returns the bytes as text, without a letter that was cut in two at the end; false when they aren't UTF-8.
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

// watchedBody notes what is read of a request's body.
type watchedBody struct {
	io.ReadCloser
	x *exchange
}

func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if !b.x.logged {
		b.x.entry.RequestBody.add(p[:n], b.x.t.maxBody)
	}
	return n, err
}

// contentLength is the length that headers declare, -1 when they don't.
func contentLength(h http.Header) int64 {
	n, err := strconv.ParseInt(h.Get("Content-Length"), 10, 64)
	if err != nil || n < 0 {
		return -1
	}
	return n
}

const redacted = "***"

// signature is the parameter of signed addresses that must not be told.
const signature = "sig"

// redactQuery leaves signatures out of a query.
func redactQuery(query string) string {
	if !strings.Contains(query, signature+"=") {
		return query
	}
	parts := strings.Split(query, "&")
	for i, p := range parts {
		if strings.HasPrefix(p, signature+"=") {
			parts[i] = signature + "=" + redacted
		}
	}
	return strings.Join(parts, "&")
}

// secretHeaders are those whose values nobody may read in the log.
var secretHeaders = []string{"Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie"}

// redactHeaders returns a copy of headers without secrets. It shares the values, which are replaced but never written to.
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
