package emulatortest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// buffered is how many bytes of an answer may wait for the client, and how many of an answer without a length for its head.
const (
	buffered = 64 << 10
	sniffed  = 512     // of them tell the type of a body that has none
	headless = 2 << 10 // net/http's bufferBeforeChunkingSize
)

// exchange is a request and its answer; it is the handler's http.ResponseWriter.
type exchange struct {
	d      *direct
	client *http.Request
	body   requestBody
	ctx    context.Context // of the handler
	cancel context.CancelFunc

	// Of the handler.
	header   http.Header
	wrote    bool  // the handler has chosen a status
	declared int64 // length of the body, -1 when it isn't known
	sent     int64
	tried    int64  // bytes that the handler wanted to write
	unsent   []byte // the beginning of a body that a HEAD request is not to get
	hijacked bool

	head chan struct{} // closed when the client gets an answer's head, or an error

	mu      sync.Mutex
	changed sync.Cond
	status  int
	final   http.Header // as it was when the status was chosen
	shown   bool        // head is closed
	buf     []byte      // not read yet
	off     int         // bytes of buf that were read
	done    bool        // nothing is written any more
	err     error       // of reads, when done
	broken  error       // why the handler can't write
}

// serve runs the handler.
func (x *exchange) serve() {
	defer x.d.end(x)
	defer x.cancel()
	defer closeBody(x.client)
	defer x.body.forget()
	defer func() {
		if !x.hijacked {
			x.finish(io.ErrUnexpectedEOF) // of a handler that has ended its goroutine, as a test's FailNow does
		}
	}()
	var broke error
	func() {
		defer func() {
			p := recover()
			err, _ := p.(error)
			switch {
			case p == nil:
			case errors.Is(err, http.ErrAbortHandler):
				broke = io.ErrUnexpectedEOF
			default:
				broke = fmt.Errorf("the handler panicked: %v", p)
			}
		}()
		x.d.handler.ServeHTTP(x, serverRequest(x))
	}()
	switch {
	case x.hijacked:
		return // who took the connection closes it
	case broke == nil:
		if !x.wrote {
			x.WriteHeader(http.StatusOK)
		}
		if x.declared > x.sent && x.hasBody() {
			_ = x.FlushError()
			broke = io.ErrUnexpectedEOF
		}
	}
	x.finish(broke)
}

// finish ends the answer: well, or as a connection that breaks.
func (x *exchange) finish(err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.done {
		return
	}
	x.done, x.err = true, io.EOF
	if err != nil {
		x.err = err
		if !x.shown {
			x.lose(err)
		}
	} else if x.client.Method == http.MethodHead {
		if !x.shown && x.declared < 0 && x.tried > 0 && x.tried <= headless {
			x.declared = x.tried
			x.final.Set("Content-Length", strconv.FormatInt(x.tried, 10))
		}
	} else if !x.shown && x.declared < 0 && x.hasBody() {
		x.declared = x.sent // all of it is there: its length is known
		if x.final.Get("Content-Length") == "" {
			x.final.Set("Content-Length", strconv.FormatInt(x.sent, 10))
		}
	}
	x.show()
	x.changed.Broadcast()
}

// lose lets the client see nothing but an error; mu is held.
func (x *exchange) lose(err error) {
	x.final, x.buf, x.off = nil, nil, 0
	if x.err = err; errors.Is(err, io.ErrUnexpectedEOF) {
		x.err = io.EOF // nothing came at all
	}
}

// fail ends the exchange for both sides: the client has gone, or the server.
func (x *exchange) fail(err error) {
	x.mu.Lock()
	x.broken = err
	if !x.done {
		x.done = true
		if x.err = err; !x.shown {
			x.lose(err)
		}
	}
	x.show()
	x.changed.Broadcast()
	x.mu.Unlock()
	x.cancel()
	closeBody(x.client)
}

// show gives the client the head; mu is held.
func (x *exchange) show() {
	if x.shown {
		return
	}
	x.shown = true
	if x.final != nil && x.final["Content-Type"] == nil && x.final["Content-Encoding"] == nil {
		if beginning := append(x.unsent, x.buf[:min(len(x.buf), sniffed)]...); len(beginning) > 0 {
			x.final.Set("Content-Type", http.DetectContentType(beginning))
		}
	}
	close(x.head)
}

// response is what the client gets.
func (x *exchange) response() (*http.Response, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.final == nil {
		return nil, x.err
	}
	resp := &http.Response{
		Status: strconv.Itoa(x.status) + " " + http.StatusText(x.status), StatusCode: x.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: x.final, Request: x.client, ContentLength: x.declared, Body: http.NoBody,
	}
	switch {
	case !x.hasBody():
		if x.status == http.StatusNoContent {
			resp.ContentLength = 0
		}
		return resp, nil
	case x.declared < 0:
		resp.TransferEncoding = []string{"chunked"}
	case x.declared == 0:
		return resp, nil
	}
	resp.Body = &answer{x: x}
	return resp, nil
}

// hasBody reports whether an answer with the status that was chosen may have a body (RFC 9110, section 6.4.1).
func (x *exchange) hasBody() bool {
	return x.client.Method != http.MethodHead && x.status >= 200 && x.status != http.StatusNoContent && x.status != http.StatusNotModified
}

// Header implements http.ResponseWriter.
func (x *exchange) Header() http.Header { return x.header }

// WriteHeader implements http.ResponseWriter.
func (x *exchange) WriteHeader(status int) {
	if x.wrote || x.hijacked {
		return
	}
	if status >= 100 && status < 200 {
		if trace := httptrace.ContextClientTrace(x.client.Context()); trace != nil && trace.Got1xxResponse != nil {
			if err := trace.Got1xxResponse(status, textproto.MIMEHeader(x.header.Clone())); err != nil {
				x.fail(err)
			}
		}
		return
	}
	final := x.header.Clone()
	if final.Get("Date") == "" {
		final.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.wrote, x.status, x.final = true, status, final
	if n, ok := lengthOf(final); ok {
		x.declared = n
	}
}

func lengthOf(h http.Header) (n int64, ok bool) {
	text := h.Get("Content-Length")
	if text == "" {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && n >= 0
}

// Write implements http.ResponseWriter. It waits as long as the client has much to read.
func (x *exchange) Write(p []byte) (int, error) {
	if x.hijacked {
		return 0, http.ErrHijacked
	}
	if !x.wrote {
		x.WriteHeader(http.StatusOK)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.client.Method != http.MethodHead && !x.hasBody() {
		return 0, http.ErrBodyNotAllowed
	}
	if x.tried += int64(len(p)); x.declared >= 0 && x.tried > x.declared {
		return 0, http.ErrContentLength
	}
	if x.client.Method == http.MethodHead {
		x.unsent = append(x.unsent, p[:min(len(p), sniffed-len(x.unsent))]...)
		return len(p), nil
	}
	n := 0
	for {
		if x.broken != nil {
			return n, x.broken
		}
		room := min(buffered-len(x.buf)+x.off, len(p))
		x.buf = append(x.buf, p[:room]...)
		x.sent += int64(room)
		n, p = n+room, p[room:]
		if len(x.buf) > headless {
			x.show()
		}
		x.changed.Broadcast()
		if len(p) == 0 {
			return n, nil
		}
		x.changed.Wait()
	}
}

// FlushError shows the client what was written so far.
func (x *exchange) FlushError() error {
	if x.hijacked {
		return http.ErrHijacked
	}
	if !x.wrote {
		x.WriteHeader(http.StatusOK)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.show()
	return x.broken
}

// SetReadDeadline lets reads of the request's body fail from a time on, as http.ResponseController has it.
func (x *exchange) SetReadDeadline(at time.Time) error {
	x.body.until(at)
	return nil
}

// Hijack takes the connection, of which only the closing can be done: at once, with a reset when it lingers for 0 seconds.
func (x *exchange) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	if x.hijacked {
		return nil, nil, http.ErrHijacked
	}
	x.hijacked = true
	c := &severed{x: x, err: io.ErrUnexpectedEOF}
	return c, bufio.NewReadWriter(bufio.NewReader(c), bufio.NewWriter(c)), nil
}

// severed is a connection that was taken from the server.
type severed struct {
	x   *exchange
	err error // that the client sees when it is closed
}

// SetLinger is that of a net.TCPConn.
func (c *severed) SetLinger(seconds int) error {
	if seconds == 0 {
		c.err = &net.OpError{Op: "read", Net: "memory", Addr: addr{}, Err: syscall.ECONNRESET}
	}
	return nil
}

func (c *severed) Close() error                     { c.x.finish(c.err); return nil }
func (c *severed) Read([]byte) (int, error)         { return 0, net.ErrClosed }
func (c *severed) Write([]byte) (int, error)        { return 0, net.ErrClosed }
func (c *severed) LocalAddr() net.Addr              { return loopback }
func (c *severed) RemoteAddr() net.Addr             { return loopback }
func (c *severed) SetDeadline(time.Time) error      { return nil }
func (c *severed) SetReadDeadline(time.Time) error  { return nil }
func (c *severed) SetWriteDeadline(time.Time) error { return nil }
