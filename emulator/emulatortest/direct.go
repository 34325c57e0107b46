package emulatortest

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// direct takes requests to a handler in the same process: what a client and a server of net/http do with a connection between them, without
// the connection. Bodies are streams in both directions, a client that goes away ends the request's context, and a handler that
// aborts is a connection that breaks.
type direct struct {
	handler http.Handler
	addr    string // the only host that there is

	mu     sync.Mutex
	closed bool
	all    map[*exchange]struct{} // that are being answered
	idle   []chan *exchange       // of workers that wait for their next one
	ended  sync.WaitGroup
}

// maxIdle is how many workers wait at most.
const maxIdle = 64

// newDirect returns a way to a handler, which is at an address.
func newDirect(h http.Handler, addr string) *direct {
	return &direct{handler: h, addr: addr, all: map[*exchange]struct{}{}}
}

// RoundTrip implements http.RoundTripper. It returns when the head of the answer is there.
func (d *direct) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Scheme != "http" || req.URL.Host != d.addr {
		closeBody(req)
		to := req.URL.Host
		if req.URL.Port() == "" {
			to += ":" + map[string]string{"http": "80", "https": "443"}[req.URL.Scheme]
		}
		return nil, &net.OpError{Op: "dial", Net: "memory", Err: errors.New("a sandbox without network has no way to " + to)}
	}
	if err := context.Cause(req.Context()); err != nil {
		closeBody(req)
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	x := &exchange{d: d, client: req, header: http.Header{}, declared: -1, ctx: ctx, cancel: cancel, head: make(chan struct{})}
	x.changed.L, x.body.x = &x.mu, x
	if !d.begin(x) {
		cancel()
		closeBody(req)
		return nil, &net.OpError{Op: "dial", Net: "memory", Addr: addr{}, Err: syscall.ECONNREFUSED}
	}
	forget := func() bool { return true }
	if req.Context().Done() != nil {
		forget = context.AfterFunc(req.Context(), func() { x.fail(context.Cause(req.Context())) })
	}
	d.work(x)
	<-x.head
	resp, err := x.response()
	if err != nil {
		forget()
		return nil, err
	}
	if a, ok := resp.Body.(*answer); ok {
		a.forget = forget
	} else {
		forget()
	}
	return resp, nil
}

// begin counts an exchange, unless the server is closed.
func (d *direct) begin(x *exchange) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.closed {
		d.all[x] = struct{}{}
		d.ended.Add(1)
	}
	return !d.closed
}

func (d *direct) end(x *exchange) {
	d.mu.Lock()
	delete(d.all, x)
	d.mu.Unlock()
	d.ended.Done()
}

// work gives an exchange to a worker: one that is there already has grown its stack, which takes as long as a small request does.
func (d *direct) work(x *exchange) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n := len(d.idle); n > 0 {
		d.idle[n-1] <- x // nobody but who takes a worker from the list sends it anything
		d.idle = d.idle[:n-1]
		return
	}
	next := make(chan *exchange, 1)
	next <- x
	go func() {
		for x := range next {
			x.serve()
			d.rest(next)
		}
	}()
}

// rest lets a worker wait for its next exchange, unless there will be none.
func (d *direct) rest(next chan *exchange) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed || len(d.idle) == maxIdle {
		close(next)
		return
	}
	d.idle = append(d.idle, next)
}

// refuse lets nothing begin any more.
func (d *direct) refuse() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	for _, next := range d.idle {
		close(next)
	}
	d.idle = nil
}

// close breaks off what is still being answered. It reports whether all handlers have returned then.
func (d *direct) close() bool {
	d.refuse()
	d.mu.Lock()
	for x := range d.all {
		go x.fail(net.ErrClosed)
	}
	d.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		d.ended.Wait()
		close(ended)
	}()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-ended:
		return true
	case <-timer.C:
		return false
	}
}

// patience is how long a handler may take to see that its client has gone.
const patience = 10 * time.Second

func closeBody(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close()
	}
}

// blank is what all requests have in common.
var blank = &http.Request{Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Body: http.NoBody, RemoteAddr: loopback.String()}

// serverRequest is a client's request as the server of net/http would have read it.
func serverRequest(x *exchange) *http.Request {
	client := x.client
	header := make(http.Header, len(client.Header)+3)
	for name, values := range client.Header {
		header[name] = values[:len(values):len(values)]
	}
	if _, ok := header["User-Agent"]; !ok {
		header["User-Agent"] = []string{"Go-http-client/1.1"}
	}
	if client.Method != http.MethodHead && header["Accept-Encoding"] == nil && header["Range"] == nil {
		header["Accept-Encoding"] = []string{"gzip"} // as http.Transport asks for; the sandbox never does it
	}
	u := *client.URL
	u.Scheme, u.Host, u.User, u.Fragment, u.RawFragment = "", "", nil, "", ""
	if u.Path == "" {
		u.Path = "/"
	}
	req := blank.WithContext(x.ctx) // copies it
	req.Method, req.URL, req.Header, req.Host, req.RequestURI = client.Method, &u, header, client.Host, u.RequestURI()
	if req.Method == "" {
		req.Method = http.MethodGet
	}
	if req.Host == "" {
		req.Host = client.URL.Host
	}
	if client.Body == nil || client.Body == http.NoBody {
		if req.Method == http.MethodPost || req.Method == http.MethodPut || req.Method == http.MethodPatch {
			header["Content-Length"] = []string{"0"}
		}
		return req
	}
	req.Body, req.ContentLength = &x.body, client.ContentLength
	if x.body.left = req.ContentLength; x.body.left > 0 {
		header["Content-Length"] = []string{strconv.FormatInt(req.ContentLength, 10)}
	} else {
		x.body.left = -1
		req.ContentLength, req.TransferEncoding = -1, []string{"chunked"}
	}
	return req
}
