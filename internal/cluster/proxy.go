package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"sync/atomic"
	"time"
)

const (
	readyInterval = 100 * time.Millisecond // between two questions to a node's /readyz
	readyTimeout  = 4 * time.Second        // a node's own checks take 3 s at most
)

// Proxy spreads requests over API nodes that are ready. A request that a node didn't accept goes to the next one; one that a node may have
// received is repeated only if it is a GET or HEAD. It is for one machine: it limits nothing, and has no TLS.
type Proxy struct {
	nodes     []*upstream
	next      atomic.Uint64
	transport *http.Transport
	handler   *httputil.ReverseProxy
}

// upstream is a node behind the proxy.
type upstream struct {
	addr     string // "127.0.0.1:8765"
	ready    atomic.Bool
	requests atomic.Int64 // that the node answered
}

// NewProxy returns a proxy of the nodes at the addresses, "HOST:PORT". No node gets a request before Watch finds it ready.
func NewProxy(addrs ...string) *Proxy {
	p := &Proxy{transport: &http.Transport{
		DialContext:         (&net.Dialer{Timeout: time.Second}).DialContext,
		MaxIdleConnsPerHost: 64, IdleConnTimeout: time.Minute, DisableCompression: true,
	}}
	for _, addr := range addrs {
		p.nodes = append(p.nodes, &upstream{addr: addr})
	}
	p.handler = &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.Out.URL.Scheme = "http" }, // RoundTrip sets the host
		Transport:     p,
		FlushInterval: -1, // events of a chat arrive one by one
		ErrorHandler:  p.fail,
	}
	return p
}

// ServeHTTP implements http.Handler.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, req *http.Request) { p.handler.ServeHTTP(w, req) }

// Watch asks every node whether it is ready, until ctx is done.
func (p *Proxy) Watch(ctx context.Context) {
	client := &http.Client{Timeout: readyTimeout, Transport: p.transport}
	tick := time.NewTicker(readyInterval)
	defer tick.Stop()
	for ctx.Err() == nil {
		for _, n := range p.nodes {
			n.ready.Store(ready(ctx, client, "http://"+n.addr))
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

// ready reports whether a node answers that it is ready.
func ready(ctx context.Context, client *http.Client, base string) bool {
	_, err := get(ctx, client, base+"/readyz")
	return err == nil
}

// get returns the body of a response with status 200.
func get(ctx context.Context, client *http.Client, url string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	resp, err := client.Do(req)
	if err != nil {
		return "", err
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s: %s", url, resp.Status, body)
	}
	return string(body), err
}

// RoundTrip implements http.RoundTripper: it sends a request to the next node that is ready, and to others while that is safe.
func (p *Proxy) RoundTrip(req *http.Request) (*http.Response, error) {
	err := errors.New("no node is ready")
	start := p.next.Add(1)
	for i := range p.nodes {
		n := p.nodes[(start+uint64(i))%uint64(len(p.nodes))]
		if !n.ready.Load() {
			continue
		}
		var resp *http.Response
		if resp, err = p.transport.RoundTrip(outgoing(req, n.addr)); err == nil {
			n.requests.Add(1)
			return resp, nil
		}
		if !repeatable(req, err) {
			break
		}
	}
	return nil, err
}

// outgoing returns the request for a node. The transport closes the body of a request that fails, so it gets one that stays open. It also
// reads beyond the end of the body, which fails once the response has begun, and would cut it; LimitReader doesn't pass that on.
func outgoing(req *http.Request, addr string) *http.Request {
	out := req.Clone(req.Context())
	out.URL.Host = addr
	switch {
	case req.Body == nil || req.Body == http.NoBody:
	case req.ContentLength > 0:
		out.Body = io.NopCloser(io.LimitReader(req.Body, req.ContentLength))
	default:
		out.Body = io.NopCloser(req.Body)
	}
	return out
}

// repeatable reports whether another node may get a request that failed.
func repeatable(req *http.Request, err error) bool {
	if req.Context().Err() != nil {
		return false
	}
	if req.Method == http.MethodGet || req.Method == http.MethodHead {
		return true
	}
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial" // no byte was sent
}

func (p *Proxy) fail(w http.ResponseWriter, _ *http.Request, err error) {
	http.Error(w, "proxy: "+err.Error(), http.StatusServiceUnavailable)
}

// Requests returns how many requests each node answered, in the order of NewProxy.
func (p *Proxy) Requests() []int64 {
	counts := make([]int64, len(p.nodes))
	for i, n := range p.nodes {
		counts[i] = n.requests.Load()
	}
	return counts
}
