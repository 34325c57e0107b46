package cluster_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/cluster"
)

// backend is a node that answers with its name, and may be told not to be ready, or to cut every request.
type backend struct {
	*httptest.Server
	unready, cuts atomic.Bool
}

func newBackend(t *testing.T, name string) *backend {
	b := &backend{}
	b.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		switch {
		case req.URL.Path == "/readyz" && b.unready.Load():
			w.WriteHeader(http.StatusServiceUnavailable)
		case req.URL.Path == "/readyz":
		case b.cuts.Load():
			panic(http.ErrAbortHandler)
		default:
			body, _ := io.ReadAll(req.Body)
			_, _ = io.WriteString(w, name+string(body))
		}
	}))
	t.Cleanup(b.Close)
	return b
}

func (b *backend) addr() string { return strings.TrimPrefix(b.URL, "http://") }

// front runs a proxy of backends, and returns its address when it has found one that is ready.
func front(t *testing.T, backends ...*backend) (*cluster.Proxy, string) {
	t.Helper()
	var addrs []string
	for _, b := range backends {
		addrs = append(addrs, b.addr())
	}
	p := cluster.NewProxy(addrs...)
	ctx, stop := context.WithCancel(context.Background())
	go p.Watch(ctx)
	t.Cleanup(stop)
	s := httptest.NewServer(p)
	t.Cleanup(s.Close)
	require.Eventually(t, func() bool { status, _ := ask(t, s.URL, "GET", ""); return status == 200 }, 10*time.Second, time.Millisecond)
	return p, s.URL
}

func ask(t *testing.T, url, method, body string) (status int, answer string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(b)
}

// All nodes get requests; one that isn't ready gets none.
func TestProxySpreads(t *testing.T) {
	t.Parallel()
	a, b := newBackend(t, "a"), newBackend(t, "b")
	_, url := front(t, a, b)
	answers := func() (all string) {
		for range 4 {
			_, answer := ask(t, url, "POST", "")
			all += answer
		}
		return all
	}
	require.Eventually(t, func() bool { s := answers(); return s == "abab" || s == "baba" }, 10*time.Second, time.Millisecond)
	b.unready.Store(true)
	require.Eventually(t, func() bool { return answers() == "aaaa" }, 10*time.Second, time.Millisecond)
	a.unready.Store(true)
	require.Eventually(t, func() bool { status, _ := ask(t, url, "GET", ""); return status == 503 }, 10*time.Second, time.Millisecond)
}

// A request that no node received goes to the other node with its whole body, before the proxy notices that a node is gone.
func TestProxyRefused(t *testing.T) {
	t.Parallel()
	a, b := newBackend(t, "a"), newBackend(t, "b")
	b.Config.SetKeepAlivesEnabled(false) // a POST on an open connection might have been received
	_, url := front(t, a, b)
	b.Close()
	for range 20 {
		status, answer := ask(t, url, "POST", strings.Repeat("x", 100_000))
		require.Equal(t, 200, status, answer)
		require.Equal(t, "a"+strings.Repeat("x", 100_000), answer)
	}
}

// A node that cuts a request may have done it: a GET is repeated at the other node, a POST isn't.
func TestProxyCut(t *testing.T) {
	t.Parallel()
	a, b := newBackend(t, "a"), newBackend(t, "b")
	p, url := front(t, a, b)
	require.Eventually(t, func() bool { ask(t, url, "GET", ""); n := p.Requests(); return n[0] > 0 && n[1] > 0 }, 10*time.Second, time.Millisecond)
	b.cuts.Store(true)
	statuses := map[int]int{}
	for range 10 {
		for range 2 { // both nodes are asked first
			status, answer := ask(t, url, "GET", "")
			require.Equal(t, 200, status)
			require.Equal(t, "a", answer)
		}
		status, _ := ask(t, url, "POST", "x")
		statuses[status]++
	}
	require.NotZero(t, statuses[503], "some requests reached the node that cuts")
}
