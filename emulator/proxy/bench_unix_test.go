//go:build unix

package proxy_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/drift"
	"github.com/soundstage-dev/soundstage/emulator/proxy"
	"github.com/soundstage-dev/soundstage/emulator/record"
	"github.com/soundstage-dev/soundstage/internal/turns"
)

// BenchmarkProxy measures what the proxy adds to a request: requests go to a sandbox directly, through net/http's reverse proxy, through the proxy
// alone, and through the proxy that records and checks, in turn and in one process. added-µs is the median of the time over that of direct requests;
// cpu-ratio is the CPU time of the process (client, sandbox, and proxy) over that of direct requests.
func BenchmarkProxy(b *testing.B) {
	s, err := emulator.New(b.Context(), emulator.Options{FFmpegOptional: true})
	require.NoError(b, err)
	b.Cleanup(func() { _ = s.Close() })
	to, err := url.Parse(s.URL())
	require.NoError(b, err)
	serve := func(h http.Handler) string {
		server := httptest.NewServer(h)
		b.Cleanup(server.Close)
		return server.URL
	}
	plain := &httputil.ReverseProxy{Transport: proxy.NewTransport(time.Minute), Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }}
	alone, err := proxy.New(proxy.Config{To: s.URL()})
	require.NoError(b, err)
	checker, err := drift.New()
	require.NoError(b, err)
	recorder, err := record.Create(b.TempDir(), record.Options{To: s.URL(), Seen: func(x *record.Exchange) { checker.Add(x) }})
	require.NoError(b, err)
	recording, err := proxy.New(proxy.Config{To: s.URL(), Recorder: recorder})
	require.NoError(b, err)
	bases := []struct{ name, url string }{{"direct", s.URL()}, {"reverse", serve(plain)}, {"proxy", serve(alone)}, {"recording", serve(recording)}}
	client := &http.Client{Transport: proxy.NewTransport(time.Minute)}
	get := func(base string, n int) {
		req, err := http.NewRequest(http.MethodGet, base+fmt.Sprintf("/v1/recordings?limit=%d", 1+n%100), nil)
		require.NoError(b, err)
		req.Header.Set("Authorization", "Bearer sk_sandbox_platform")
		resp, err := client.Do(req)
		require.NoError(b, err)
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		require.Equal(b, http.StatusOK, resp.StatusCode)
	}
	const round = 100 // requests of one way before those of the next, so that other load on the machine meets all of them
	took := map[string][]time.Duration{}
	var ways []turns.Way
	for _, base := range bases {
		ways = append(ways, turns.Way{Name: base.name, Cost: turns.CPU(func() {
			for k := range round {
				began := time.Now()
				get(base.url, k)
				took[base.name] = append(took[base.name], time.Since(began))
			}
			time.Sleep(5 * time.Millisecond) // for what happens after the response
		})})
	}
	compared := turns.Compare(ways...)
	for b.Loop() {
		compared.Round()
	}
	_, err = recorder.Close()
	require.NoError(b, err)
	for _, w := range ways[1:] {
		b.ReportMetric(float64((median(took[w.Name]) - median(took["direct"])).Microseconds()), w.Name+"-added-µs")
		compared.Ratio(w.Name, "direct").Report(b, w.Name+"-cpu-ratio")
	}
	b.ReportMetric(float64(median(took["direct"]).Microseconds()), "direct-µs")
	b.ReportMetric(1e6*compared.Cost("direct").Median/round, "direct-cpu-µs")
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}
