package traffic

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// har is a HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec). Members that begin with _ are ours.
type har struct {
	Log harLog `json:"log"`
}

type harLog struct {
	Version string     `json:"version"`
	Creator harCreator `json:"creator"`
	Entries []harEntry `json:"entries"`
}

type harCreator struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

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
	ErrorTag string `json:"_error,omitempty"` // as Chrome writes it of exchanges that broke off
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
	Encoding string    `json:"_encoding,omitempty"` // "base64" when the bytes are no text
	Comment  string    `json:"comment,omitempty"`
}

type harResponse struct {
	Status      int        `json:"status"` // 0 when there was no answer
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

// WriteHAR writes the remembered exchanges that fit as a HTTP Archive 1.2. creator is the version of the program. CodeInvalid when none
// could fit, else the error of w.
func (t *Traffic) WriteHAR(w io.Writer, m Match, creator string) error {
	found, err := t.Find(m)
	if err != nil {
		return err
	}
	doc := har{harLog{Version: "1.2", Creator: harCreator{"soundstage", creator}, Entries: make([]harEntry, len(found))}}
	for i, e := range found {
		doc.Log.Entries[i] = harOf(e)
	}
	return json.NewEncoder(w).Encode(doc)
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
		h.ErrorTag = "the connection was closed before the answer had arrived"
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

// url is the address that the client asked for.
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
		comment = "only the beginning was kept"
	}
	if text, ok := b.text(); ok {
		return text, "", comment
	}
	return base64.StdEncoding.EncodeToString(b.Data), "base64", comment
}

// pairsOf are headers by their names in alphabetic order.
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

// queryPairs are the parameters of a query in their own order.
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
