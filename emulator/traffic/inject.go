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
	faultHeader = "X-Soundstage-Fault" // id of the fault, on every answer that one has touched
	maxDrain    = 64 << 20             // bytes of a request that are read before an injected answer
	drainTime   = 30 * time.Second
)

// inject lets a fault happen to an exchange.
func (t *Traffic) inject(f FaultState, x *exchange, next http.Handler, req *http.Request) {
	if !t.delay(req, time.Duration(f.Do.LatencyMS)*time.Millisecond) {
		x.entry.Aborted = true
		panic(http.ErrAbortHandler) // the client has given up
	}
	x.Header().Set(faultHeader, f.ID)
	switch do := f.Do; {
	case do.Status >= 200:
		x.answer(f, req)
	case do.Status != 0:
		setAll(x.Header(), do.Headers)
		x.WriteHeader(do.Status)
		next.ServeHTTP(x, req)
	case do.ResetAfterBytes != nil:
		x.breakOff(*do.ResetAfterBytes, next, req)
	case do.CommitThenDrop:
		x.drop(next, req)
	case do.Truncate != nil:
		x.truncate(*do.Truncate, next, req)
	default:
		next.ServeHTTP(x, req)
	}
}

// delay waits, but not for a client that has gone, nor longer than the world is open. False when the client has gone.
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

// answer answers instead of the API. The request is read first: a client that is still sending would see its connection break instead.
func (x *exchange) answer(f FaultState, req *http.Request) {
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

// errorOf is the body of an error as the specification has it, and its type: {"error"}, {"errors","valid"} for what
// POST /v1/transcripts refuses, XML from the storage.
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
		panic(err) // it is made of strings
	}
	return append(body, '\n'), "application/json"
}

// storageCode is the code in the XML of an error, as Google Cloud Storage names it.
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

// breakOff lets the API read n bytes of the request, or all of a shorter one, but never its end, and resets the connection.
func (x *exchange) breakOff(n int64, next http.Handler, req *http.Request) {
	x.entry.Aborted = true
	client := x.ResponseWriter
	if n > 0 && req.Body != nil && req.Body != http.NoBody {
		broken := new(http.Request)
		*broken = *req
		broken.Body = &brokenBody{req.Body, n}
		serveAll(next, &sink{x: x, header: http.Header{}}, broken)
	}
	x.finish()
	closeConnection(client, true)
}

// drop lets the API do what is asked for, and closes the connection without an answer.
func (x *exchange) drop(next http.Handler, req *http.Request) {
	x.entry.Aborted = true
	client := x.ResponseWriter
	x.ResponseWriter = &sink{x: x, header: http.Header{faultHeader: {x.entry.Fault}}, through: client}
	serveAll(next, x, req)
	x.finish()
	closeConnection(client, false)
}

// truncate sends the beginning of the answer and closes the connection.
func (x *exchange) truncate(n int64, next http.Handler, req *http.Request) {
	x.entry.Aborted = true
	client := x.ResponseWriter
	c := &cutter{ResponseWriter: client, left: n, head: req.Method == http.MethodHead}
	x.ResponseWriter = c
	serveAll(next, x, req)
	x.finish()
	if !c.begun || c.silent {
		closeConnection(client, false)
		return
	}
	_ = http.NewResponseController(client).Flush()
	panic(http.ErrAbortHandler)
}

// serveAll runs a handler to its end, even if it would abort the connection itself.
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

// closeConnection closes the connection of an exchange at once: with a reset (RST), or in order. Where there is none to be had,
// with HTTP/2, the server is asked to abort the exchange.
func closeConnection(w http.ResponseWriter, reset bool) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if reset {
		raw := conn
		if c, ok := conn.(interface{ NetConn() net.Conn }); ok { // of TLS
			raw = c.NetConn()
		}
		if tcp, ok := raw.(interface{ SetLinger(seconds int) error }); ok { // net.TCPConn, and what stands in for it in memory
			_ = tcp.SetLinger(0)
		}
		_ = raw.Close()
	}
	_ = conn.Close()
}

// brokenBody is a request's body whose connection breaks.
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

// sink takes an answer that never arrives.
type sink struct {
	x       *exchange
	header  http.Header
	through http.ResponseWriter // behind it, nil when x is
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) WriteHeader(int)             {}
func (s *sink) Write(p []byte) (int, error) { return len(p), nil }

// FlushError sends nothing.
func (s *sink) FlushError() error { return nil }

// Unwrap lets http.ResponseController reach the connection, for its deadlines.
func (s *sink) Unwrap() http.ResponseWriter {
	if s.through != nil {
		return s.through
	}
	return s.x
}

var errCut = errors.New("traffic: the answer is cut off here")

// cutter passes the beginning of an answer on.
type cutter struct {
	http.ResponseWriter
	left   int64 // bytes of the body that are still sent
	head   bool
	begun  bool
	silent bool // nothing is sent: there is nothing that could be cut
}

// Unwrap lets http.ResponseController reach the connection.
func (c *cutter) Unwrap() http.ResponseWriter { return c.ResponseWriter }

func (c *cutter) WriteHeader(status int) {
	if status < 200 {
		c.ResponseWriter.WriteHeader(status)
		return
	}
	if c.begun {
		return
	}
	c.begun = true
	length := contentLength(c.Header())
	c.silent = c.head || length == 0 || !hasBody(status)
	if length > 0 {
		c.left = min(c.left, length-1)
	}
	if !c.silent {
		c.ResponseWriter.WriteHeader(status)
	}
}

// FlushError sends what was written so far, if anything is sent.
func (c *cutter) FlushError() error {
	if !c.begun {
		c.WriteHeader(http.StatusOK)
	}
	if c.silent {
		return nil
	}
	return http.NewResponseController(c.ResponseWriter).Flush()
}

func (c *cutter) Write(p []byte) (int, error) {
	if !c.begun {
		c.WriteHeader(http.StatusOK)
	}
	if c.silent {
		return len(p), nil
	}
	if int64(len(p)) <= c.left {
		c.left -= int64(len(p))
		return c.ResponseWriter.Write(p)
	}
	n, err := c.ResponseWriter.Write(p[:c.left])
	c.left = 0
	if err == nil {
		err = errCut
	}
	return n, err
}

var _ api.CallerNoter = (*exchange)(nil)
