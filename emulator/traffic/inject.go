package traffic

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/api"
)

const (
	faultHeader = "X-Soundstage-Fault" // ID of the fault, on every response that it changed
	maxDrain    = 64 << 20             // most bytes of a request to read before an injected response
	drainTime   = 30 * time.Second
)

// inject applies a fault to an exchange.
func (t *Traffic) inject(f FaultState, x *exchange, next http.Handler, req *http.Request) {
	if !t.delay(req, time.Duration(f.Do.LatencyMS)*time.Millisecond) {
		x.entry.Aborted = true
		panic(http.ErrAbortHandler) // the client has disconnected
	}
	x.Header().Set(faultHeader, f.ID)
	switch do := f.Do; {
	case do.Status >= 200:
		x.respond(f, req)
	case do.Status != 0:
		setAll(x.Header(), do.Headers)
		x.WriteHeader(do.Status)
		next.ServeHTTP(x, req)
	case do.ResetAfterBytes != nil:
		x.resetRequest(*do.ResetAfterBytes, next, req)
	case do.CommitThenDrop:
		x.dropResponse(next, req)
	case do.Truncate != nil:
		x.truncateResponse(*do.Truncate, next, req)
	default:
		next.ServeHTTP(x, req)
	}
}

// delay waits for d, or until the world is closed. It returns false when the client disconnects first.
func (t *Traffic) delay(req *http.Request, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-t.done:
	case <-req.Context().Done():
		return false
	}
	return true
}

func setAll(h http.Header, values map[string]string) {
	for name, value := range values {
		h.Set(name, value)
	}
}

// respond writes the injected response. It reads the request first, because a client that is still sending would see a broken connection.
func (x *exchange) respond(f FaultState, req *http.Request) {
	if req.Body != nil && req.Body != http.NoBody {
		_ = http.NewResponseController(x.ResponseWriter).SetReadDeadline(time.Now().Add(drainTime))
		_, _ = io.Copy(io.Discard, io.LimitReader(req.Body, maxDrain))
	}
	status, h := f.Do.Status, x.Header()
	body, contentType := []byte(f.Do.Body), "application/json"
	var text string
	switch {
	case body == nil && status >= 400:
		body, contentType = errorOf(f, x.entry.Op, req)
	case json.Unmarshal(body, &text) == nil && body[0] == '"':
		body = []byte(text)
	}
	if body != nil {
		h.Set("Content-Type", contentType)
	}
	switch status {
	case http.StatusTooManyRequests:
		h.Set("Retry-After", "1")
	case http.StatusUnauthorized:
		h.Set("WWW-Authenticate", "Bearer")
	}
	if status >= 400 {
		h.Set("X-Soundstage-Reason", f.ID+" of POST /_soundstage/faults")
	}
	setAll(h, f.Do.Headers)
	if hasBody(status) {
		h.Set("Content-Length", strconv.Itoa(len(body)))
	}
	x.WriteHeader(status)
	if len(body) > 0 {
		_, _ = x.Write(body)
	}
}

// errorOf returns the error body for the fault and its content type (specification, "Errors"): {"error"}, {"errors","valid"} for a 400 of
// POST /v1/transcripts, or XML for storage.
func errorOf(f FaultState, op string, req *http.Request) (body []byte, contentType string) {
	status := f.Do.Status
	sentence := fmt.Sprintf("%d %s, injected by %s.", status, http.StatusText(status), f.ID)
	if strings.HasPrefix(req.URL.Path, "/storage/") {
		var b strings.Builder
		b.WriteString("<?xml version='1.0' encoding='UTF-8'?><Error><Code>" + storageCode(status) + "</Code><Message>")
		_ = xml.EscapeText(&b, []byte(sentence))
		return []byte(b.String() + "</Message></Error>"), "application/xml; charset=UTF-8"
	}
	v := map[string]any{"error": sentence}
	if op == "createTranscript" && status == http.StatusBadRequest {
		v = map[string]any{"errors": map[string][]string{"url": {"is invalid"}}, "valid": false}
	}
	body, err := json.Marshal(v)
	if err != nil {
		panic(err) // a map of strings always encodes
	}
	return append(body, '\n'), "application/json"
}

// storageCode returns the error code that Google Cloud Storage uses for a status in its XML errors.
func storageCode(status int) string {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return "AccessDenied"
	case http.StatusNotFound:
		return "NoSuchKey"
	case http.StatusRequestTimeout:
		return "RequestTimeout"
	case http.StatusTooManyRequests:
		return "SlowDown"
	case http.StatusServiceUnavailable:
		return "ServiceUnavailable"
	}
	if status >= 500 {
		return "InternalError"
	}
	return "InvalidArgument"
}

// resetRequest lets the API read up to n bytes of the request but never its end, then resets the connection.
func (x *exchange) resetRequest(n int64, next http.Handler, req *http.Request) {
	x.entry.Aborted = true
	client := x.ResponseWriter
	if n > 0 && req.Body != nil && req.Body != http.NoBody {
		broken := new(http.Request)
		*broken = *req
		broken.Body = &brokenBody{req.Body, n}
		serveAll(next, &discardWriter{x: x, header: http.Header{}}, broken)
	}
	x.finish()
	closeConnection(client, true)
}

// dropResponse executes the request and closes the connection without a response.
func (x *exchange) dropResponse(next http.Handler, req *http.Request) {
	x.entry.Aborted = true
	client := x.ResponseWriter
	x.ResponseWriter = &discardWriter{x: x, header: http.Header{faultHeader: {x.entry.Fault}}, underlying: client}
	serveAll(next, x, req)
	x.finish()
	closeConnection(client, false)
}

// truncateResponse sends the beginning of the response and closes the connection.
func (x *exchange) truncateResponse(n int64, next http.Handler, req *http.Request) {
	x.entry.Aborted = true
	client := x.ResponseWriter
	c := &truncatingWriter{ResponseWriter: client, left: n, head: req.Method == http.MethodHead}
	x.ResponseWriter = c
	serveAll(next, x, req)
	x.finish()
	if !c.wroteHeader || c.suppressed {
		closeConnection(client, false)
		return
	}
	_ = http.NewResponseController(client).Flush()
	panic(http.ErrAbortHandler)
}

// serveAll runs a handler and recovers from http.ErrAbortHandler.
func serveAll(next http.Handler, w http.ResponseWriter, req *http.Request) {
	defer func() {
		if p := recover(); p != nil {
			if err, ok := p.(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
				panic(p)
			}
		}
	}()
	next.ServeHTTP(w, req)
}

// closeConnection closes the connection of an exchange, with a reset (RST) or in order. When the connection can't be hijacked, as with
// HTTP/2, it aborts the exchange instead.
func closeConnection(w http.ResponseWriter, reset bool) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if reset {
		raw := conn
		if c, ok := conn.(interface{ NetConn() net.Conn }); ok { // a TLS connection
			raw = c.NetConn()
		}
		if tcp, ok := raw.(interface{ SetLinger(seconds int) error }); ok { // net.TCPConn, or its in-memory replacement
			_ = tcp.SetLinger(0)
		}
		_ = raw.Close()
	}
	_ = conn.Close()
}

// brokenBody is a request body that fails with io.ErrUnexpectedEOF after left bytes.
type brokenBody struct {
	io.ReadCloser
	left int64
}

func (b *brokenBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, io.ErrUnexpectedEOF
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	if errors.Is(err, io.EOF) {
		b.left, err = 0, io.ErrUnexpectedEOF
	}
	return n, err
}

// discardWriter is a ResponseWriter that discards the response.
type discardWriter struct {
	x          *exchange
	header     http.Header
	underlying http.ResponseWriter // nil for x itself
}

func (s *discardWriter) Header() http.Header         { return s.header }
func (s *discardWriter) WriteHeader(int)             {}
func (s *discardWriter) Write(p []byte) (int, error) { return len(p), nil }

// FlushError sends nothing.
func (s *discardWriter) FlushError() error { return nil }

// Unwrap lets http.ResponseController reach the connection to set its deadlines.
func (s *discardWriter) Unwrap() http.ResponseWriter {
	if s.underlying != nil {
		return s.underlying
	}
	return s.x
}

var errTruncated = errors.New("traffic: response truncated by a fault")

// truncatingWriter is a ResponseWriter that passes on only the first bytes of the body.
type truncatingWriter struct {
	http.ResponseWriter
	left        int64 // remaining bytes of the body to send
	head        bool
	wroteHeader bool
	suppressed  bool // nothing is sent, because the response has no body to truncate
}

// Unwrap lets http.ResponseController reach the connection.
func (c *truncatingWriter) Unwrap() http.ResponseWriter { return c.ResponseWriter }

func (c *truncatingWriter) WriteHeader(status int) {
	if status < 200 {
		c.ResponseWriter.WriteHeader(status)
		return
	}
	if c.wroteHeader {
		return
	}
	c.wroteHeader = true
	length := contentLength(c.Header())
	c.suppressed = c.head || length == 0 || !hasBody(status)
	if length > 0 {
		c.left = min(c.left, length-1)
	}
	if !c.suppressed {
		c.ResponseWriter.WriteHeader(status)
	}
}

// FlushError sends what has been written so far, unless the response is suppressed.
func (c *truncatingWriter) FlushError() error {
	if !c.wroteHeader {
		c.WriteHeader(http.StatusOK)
	}
	if c.suppressed {
		return nil
	}
	return http.NewResponseController(c.ResponseWriter).Flush()
}

func (c *truncatingWriter) Write(p []byte) (int, error) {
	if !c.wroteHeader {
		c.WriteHeader(http.StatusOK)
	}
	if c.suppressed {
		return len(p), nil
	}
	if int64(len(p)) <= c.left {
		c.left -= int64(len(p))
		return c.ResponseWriter.Write(p)
	}
	n, err := c.ResponseWriter.Write(p[:c.left])
	c.left = 0
	if err == nil {
		err = errTruncated
	}
	return n, err
}

var _ api.CallerNoter = (*exchange)(nil)
