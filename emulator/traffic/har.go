package traffic

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// harEntry is an entry of an HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec). Fields that begin with _ are ours.
type harEntry struct {
	Started  string      `json:"startedDateTime"`
	Time     float64     `json:"time"` // milliseconds
	Request  harRequest  `json:"request"`
	Response harResponse `json:"response"`
	Cache    struct{}    `json:"cache"`
	Timings  harTimings  `json:"timings"`
	Comment  string      `json:"comment,omitempty"`

	Number   int64  `json:"_number"`
	Op       string `json:"_op,omitempty"`
	Tier     string `json:"_tier,omitempty"`
	Fault    string `json:"_fault,omitempty"`
	Reason   string `json:"_reason,omitempty"`
	ErrorTag string `json:"_error,omitempty"` // Chrome's field for aborted exchanges
}

type harPair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type harRequest struct {
	Method      string       `json:"method"`
	URL         string       `json:"url"`
	HTTPVersion string       `json:"httpVersion"`
	Cookies     []harPair    `json:"cookies"`
	Headers     []harPair    `json:"headers"`
	QueryString []harPair    `json:"queryString"`
	PostData    *harPostData `json:"postData,omitempty"`
	HeadersSize int64        `json:"headersSize"`
	BodySize    int64        `json:"bodySize"`
}

type harPostData struct {
	MimeType string    `json:"mimeType"`
	Params   []harPair `json:"params"`
	Text     string    `json:"text"`
	Encoding string    `json:"_encoding,omitempty"` // "base64" when the bytes are not text
	Comment  string    `json:"comment,omitempty"`
}

type harResponse struct {
	Status      int        `json:"status"` // 0 when there was no response
	StatusText  string     `json:"statusText"`
	HTTPVersion string     `json:"httpVersion"`
	Cookies     []harPair  `json:"cookies"`
	Headers     []harPair  `json:"headers"`
	Content     harContent `json:"content"`
	RedirectURL string     `json:"redirectURL"`
	HeadersSize int64      `json:"headersSize"`
	BodySize    int64      `json:"bodySize"`
}

type harContent struct {
	Size     int64  `json:"size"`
	MimeType string `json:"mimeType"`
	Text     string `json:"text,omitempty"`
	Encoding string `json:"encoding,omitempty"`
	Comment  string `json:"comment,omitempty"`
}

type harTimings struct {
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
}

// WriteHAR writes the matching exchanges as an HTTP Archive 1.2, one by one. creator is the program's version. It returns CodeInvalid,
// before it writes, when m can't match any exchange, or w's error.
func (t *Traffic) WriteHAR(w io.Writer, m Match, creator string) error {
	if err := m.Validate(); err != nil {
		return err
	}
	version, err := json.Marshal(creator)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, `{"log":{"version":"1.2","creator":{"name":"soundstage","version":%s},"entries":[`, version); err != nil {
		return err
	}
	separator := ""
	if _, err := t.Each(m, 0, func(e *Entry) error {
		entry, err := json.Marshal(harOf(e))
		if err == nil {
			_, err = fmt.Fprintf(w, "%s%s", separator, entry)
		}
		separator = ","
		return err
	}); err != nil {
		return err
	}
	_, err = io.WriteString(w, "]}}\n")
	return err
}

func harOf(e *Entry) harEntry {
	h := harEntry{
		Started: e.Time.UTC().Format("2006-01-02T15:04:05.000Z07:00"), Time: millis(e.Duration), Timings: harTimings{Wait: millis(e.Duration)},
		Number: e.Number, Op: e.Op, Tier: e.Tier, Fault: e.Fault, Reason: e.Reason,
		Request: harRequest{
			Method: e.Method, URL: e.url(), HTTPVersion: e.Proto, Cookies: []harPair{}, Headers: pairsOf(e.RequestHeaders),
			QueryString: queryPairs(e.Query), HeadersSize: -1, BodySize: e.RequestBody.Bytes,
		},
		Response: harResponse{
			Status: e.Status, StatusText: http.StatusText(e.Status), HTTPVersion: e.Proto, Cookies: []harPair{}, Headers: pairsOf(e.ResponseHeaders),
			RedirectURL: e.ResponseHeaders.Get("Location"), HeadersSize: -1, BodySize: e.ResponseBody.Bytes,
		},
	}
	if e.Aborted {
		h.ErrorTag = "the connection was closed before the response was complete"
	}
	if e.RequestBody.Bytes > 0 {
		p := &harPostData{MimeType: e.RequestHeaders.Get("Content-Type"), Params: []harPair{}}
		p.Text, p.Encoding, p.Comment = e.RequestBody.har()
		h.Request.PostData = p
	}
	c := &h.Response.Content
	c.Size, c.MimeType = e.ResponseBody.Bytes, e.ResponseHeaders.Get("Content-Type")
	c.Text, c.Encoding, c.Comment = e.ResponseBody.har()
	return h
}

// url returns the URL that the client requested.
func (e *Entry) url() string {
	scheme := "http://"
	if e.TLS {
		scheme = "https://"
	}
	u := scheme + e.Host + e.Path
	if e.Query != "" {
		u += "?" + e.Query
	}
	return u
}

func (b Body) har() (text, encoding, comment string) {
	if b.Truncated {
		comment = "truncated: only the first bytes were kept"
	}
	if text, ok := b.text(); ok {
		return text, "", comment
	}
	return base64.StdEncoding.EncodeToString(b.Data), "base64", comment
}

// pairsOf returns headers sorted by name.
func pairsOf(h http.Header) []harPair {
	pairs := make([]harPair, 0, len(h))
	for name, values := range h {
		for _, v := range values {
			pairs = append(pairs, harPair{name, v})
		}
	}
	slices.SortStableFunc(pairs, func(a, b harPair) int { return strings.Compare(a.Name, b.Name) })
	return pairs
}

// queryPairs returns the parameters of a query in their original order.
func queryPairs(query string) []harPair {
	pairs := []harPair{}
	for part := range strings.SplitSeq(query, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		pairs = append(pairs, harPair{unescape(name), unescape(value)})
	}
	return pairs
}

func unescape(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}
