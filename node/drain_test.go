package node_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/node"
)

// proxy sends requests to nodes in turn, while their /readyz is 200, as checked every 20 ms.
type proxy struct {
	mu    sync.Mutex
	nodes []string
	next  int
}

func (p *proxy) pick() *url.URL {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next++
	u, _ := url.Parse(p.nodes[p.next%len(p.nodes)])
	return u
}

// watch checks the nodes until ctx is done.
func (p *proxy) watch(ctx context.Context, all func() []string) {
	for ctx.Err() == nil {
		var ready []string
		for _, base := range all() {
			res, err := http.Get(base + "/readyz") //nolint:noctx // of the test's own node
			if err != nil {
				continue
			}
			_ = res.Body.Close()
			if res.StatusCode == http.StatusOK {
				ready = append(ready, base)
			}
		}
		if len(ready) > 0 {
			p.mu.Lock()
			p.nodes = ready
			p.mu.Unlock()
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// Nodes behind a proxy can be replaced one by one under load: no request fails.
func TestDrainUnderLoad(t *testing.T) {
	t.Parallel()
	store, blobs := newShared(), memory.NewBlobs()
	launch := func() *running {
		return start(t, node.Config{Store: store, Blobs: blobs, Work: true, DrainDelay: time.Second})
	}
	nodes := []*running{launch(), launch()}
	c := nodes[0].client()
	var mu sync.Mutex
	urls := func() []string {
		mu.Lock()
		defer mu.Unlock()
		return []string{nodes[0].url, nodes[1].url}
	}
	p := &proxy{nodes: urls()}
	ctx, stop := context.WithCancel(t.Context())
	var parts sync.WaitGroup
	defer parts.Wait()
	defer stop()
	parts.Go(func() { p.watch(ctx, urls) })
	var broken atomic.Int64
	front := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(p.pick()) },
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) {
			broken.Add(1)
			w.WriteHeader(http.StatusBadGateway)
		},
	})
	defer front.Close()
	var sent, failed atomic.Int64
	for range 8 {
		parts.Go(func() { load(ctx, front.URL, c.secret, &sent, &failed) })
	}
	for i := range 4 {
		before := sent.Load()
		require.Eventually(t, func() bool { return sent.Load() > before+50 }, 30*time.Second, time.Millisecond)
		old := nodes[i%2]
		fresh := launch()
		old.stop()
		require.NoError(t, old.wait())
		mu.Lock()
		nodes[i%2] = fresh
		mu.Unlock()
	}
	stop()
	parts.Wait()
	require.Zero(t, failed.Load())
	require.Zero(t, broken.Load())
	t.Logf("%d requests, 4 nodes replaced", sent.Load())
}

// load sends requests that read and that write, until ctx is done.
func load(ctx context.Context, base, secret string, sent, failed *atomic.Int64) {
	for i := 0; ctx.Err() == nil; i++ {
		method, path := http.MethodGet, "/v1/recordings"
		body := ""
		if i%2 == 1 {
			method, path, body = http.MethodPost, "/v1/uploads", `{"filename":"a.wav","content_type":"audio/wav","content_size":7}`
		}
		req, err := http.NewRequest(method, base+path, strings.NewReader(body)) //nolint:noctx // it must not be cut at the end
		if err != nil {
			failed.Add(1)
			return
		}
		req.Header.Set("Authorization", "Bearer "+secret)
		res, err := http.DefaultClient.Do(req)
		if err != nil || res.StatusCode >= 400 {
			failed.Add(1)
		}
		if err == nil {
			_ = res.Body.Close()
		}
		sent.Add(1)
	}
}

// A node that drains fails /readyz at once and gives its jobs back, while it still serves requests and asks clients to close connections.
func TestDrain(t *testing.T) {
	t.Parallel()
	store, blobs := newShared(), memory.NewBlobs()
	r := start(t, node.Config{Store: store, Blobs: blobs, DrainDelay: 4 * time.Second, Work: true})
	c := r.client()
	r.stop()
	require.Eventually(t, func() bool { status, _ := get(t, r.admin+"/readyz"); return status == 503 }, 3*time.Second, time.Millisecond)
	_, body := get(t, r.url+"/readyz")
	require.JSONEq(t, `{"status":"draining"}`, body)
	c.do(200, "GET", "/v1/recordings", nil)
	res, err := http.Get(r.url + "/healthz") //nolint:noctx // of the test's own node
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, 200, res.StatusCode)
	require.True(t, res.Close, "the Connection header is close")
	require.NoError(t, r.wait())
	_, err = http.Get(r.url + "/healthz") //nolint:noctx,bodyclose // there is no response
	require.Error(t, err)
}
