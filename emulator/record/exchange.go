package record

import (
	"net/http"
	"time"
	"unicode/utf8"
)

// Exchange is one request and its response, without secrets.
type Exchange struct {
	Number   int64     `json:"number"` // 1 for the first exchange of the folder
	Time     time.Time `json:"time"`   // when the request arrived, UTC
	Method   string    `json:"method"`
	Path     string    `json:"path"`               // escaped; without the path of the service's address
	Query    string    `json:"query,omitempty"`    // without signatures
	Host     string    `json:"host"`               // host of the service or of its storage
	Storage  bool      `json:"storage,omitempty"`  // a signed URL, of the service or of another host
	Op       string    `json:"op,omitempty"`       // operation ID in the contract; "" if it is unknown
	Resource string    `json:"resource,omitempty"` // first resource ID in the path
	Auth     string    `json:"auth,omitempty"`     // scheme of the Authorization header: "bearer"; "" without one

	RequestHeaders  http.Header `json:"request_headers"`
	RequestBody     Body        `json:"request_body"`
	Status          int         `json:"status"` // 0 without a response
	ResponseHeaders http.Header `json:"response_headers,omitempty"`
	ResponseBody    Body        `json:"response_body"`
	DurationMS      float64     `json:"duration_ms"`
	Error           string      `json:"error,omitempty"` // why there is no complete response of the service
}

// Body is the body of a request or a response, decompressed. At most one of Text and Base64 is set.
type Body struct {
	Text    string `json:"text,omitempty"`
	Base64  []byte `json:"base64,omitempty"`  // instead of Text when the bytes aren't UTF-8
	Bytes   int64  `json:"bytes"`             // length as it was sent
	Partial string `json:"partial,omitempty"` // why not all bytes are here
}

// Data returns the recorded bytes.
func (b Body) Data() []byte {
	if b.Base64 != nil {
		return b.Base64
	}
	return []byte(b.Text)
}

// Whole reports whether all bytes were recorded.
func (b Body) Whole() bool { return b.Partial == "" }

func newBody(data []byte, bytes int64, partial string) Body {
	b := Body{Bytes: bytes, Partial: partial}
	if text := trimCut(data, partial != ""); utf8.Valid(text) {
		b.Text = string(text)
	} else {
		b.Base64 = data
	}
	return b
}

// Raw is an exchange as it was captured, with its secrets. It is only in memory.
type Raw struct {
	Time     time.Time
	Method   string
	Path     string
	Query    string
	Host     string
	Storage  bool
	Sent     http.Header
	Body     Captured
	Status   int
	Received http.Header
	Answer   Captured
	Duration time.Duration
	Error    string
}

// Captured is a captured body.
type Captured struct {
	Data    []byte // the first bytes
	Bytes   int64  // total length
	Partial string // why Data is shorter than Bytes
}
