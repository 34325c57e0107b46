package conformance

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// received is one request that a webhook received.
type received struct {
	header http.Header
	body   []byte
	value  any
	at     time.Time
}

// receiver is an HTTP server that receives webhooks. Each check uses its own path, which selects the response:
// /ok/x (204), /gone/x (410), /moved/x (redirect), /retry/x (500 to the first request, then 204).
type receiver struct {
	url  string
	http *http.Server

	mu      sync.Mutex
	got     map[string][]received
	changed chan struct{} // closed when a request arrives
}

func listenForWebhooks(ctx context.Context, address, url string) (*receiver, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	if url == "" {
		url = "http://" + l.Addr().String()
	}
	r := &receiver{url: strings.TrimRight(url, "/"), got: map[string][]received{}, changed: make(chan struct{})}
	r.http = &http.Server{Handler: r, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = r.http.Serve(l) }()
	return r, nil
}

// ServeHTTP stores a request and sends the response that its path selects.
func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(io.LimitReader(req.Body, 1<<20))
	if err != nil {
		return
	}
	r.mu.Lock()
	before := len(r.got[req.URL.Path])
	r.got[req.URL.Path] = append(r.got[req.URL.Path], received{header: req.Header, body: body, value: decode(body), at: time.Now()})
	close(r.changed)
	r.changed = make(chan struct{})
	r.mu.Unlock()
	switch kind, _, _ := strings.Cut(strings.TrimPrefix(req.URL.Path, "/"), "/"); {
	case kind == "gone":
		w.WriteHeader(http.StatusGone)
	case kind == "moved":
		w.Header().Set("Location", r.url+"/ok/redirected")
		w.WriteHeader(http.StatusFound)
	case kind == "retry" && before == 0:
		w.WriteHeader(http.StatusInternalServerError)
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}

// requests returns the requests to a path so far, and a channel that is closed at the next request to any path.
func (r *receiver) requests(path string) ([]received, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]received(nil), r.got[path]...), r.changed
}

// await waits until enough is true for the requests to a path and returns them. It fails the check after Config.Timeout.
func (p *probe) await(path, what string, enough func([]received) bool) []received {
	deadline := time.NewTimer(p.session.eventWait)
	defer deadline.Stop()
	for {
		got, changed := p.session.hooks.requests(path)
		if enough(got) {
			return got
		}
		select {
		case <-changed:
		case <-deadline.C:
			p.fail(answer{}, what, show(len(got))+" requests")
		case <-p.ctx.Done():
			p.skip("the run was stopped")
		}
	}
}
