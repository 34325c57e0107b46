package proxy_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/proxy"
	"github.com/soundstage-dev/soundstage/emulator/record"
)

// kept keeps what a proxy records, without secrets.
type kept struct {
	mu  sync.Mutex
	all []*record.Exchange
	raw []record.Raw
}

func (k *kept) Add(x record.Raw) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.raw = append(k.raw, x)
	m := record.WithoutSecrets(x, 1<<20)
	m.Number = int64(len(k.all) + 1)
	k.all = append(k.all, m)
}

func (k *kept) MaxBody() int { return 1 << 20 }

// last returns the newest exchange.
func (k *kept) last(t *testing.T) *record.Exchange {
	t.Helper()
	k.mu.Lock()
	defer k.mu.Unlock()
	require.NotEmpty(t, k.all)
	return k.all[len(k.all)-1]
}

func (k *kept) exchanges() []*record.Exchange {
	k.mu.Lock()
	defer k.mu.Unlock()
	return append([]*record.Exchange{}, k.all...)
}

// through starts a proxy to a service and returns its address.
func through(t *testing.T, to string, change ...func(*proxy.Config)) (string, *kept) {
	t.Helper()
	k := &kept{}
	c := proxy.Config{To: to, Recorder: k}
	for _, f := range change {
		f(&c)
	}
	p, err := proxy.New(c)
	require.NoError(t, err)
	s := httptest.NewServer(p)
	t.Cleanup(s.Close)
	return s.URL, k
}

// service starts a service.
func service(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// startSandbox starts a sandbox on a real socket.
func startSandbox(t *testing.T, o emulator.Options) *emulator.Server {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("ffmpeg is missing: run `make setup`")
		}
		t.Skip("ffmpeg is missing: run `make setup`")
	}
	s, err := emulator.New(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// client is a client of the service with a secret.
type client struct {
	t      *testing.T
	base   string
	secret string
}

// answered is a response.
type answered struct {
	status int
	header http.Header
	body   string
	value  map[string]any
}

func (c client) do(method, url, body string, header ...string) answered {
	c.t.Helper()
	if strings.HasPrefix(url, "/") {
		url = c.base + url
	}
	req, err := http.NewRequestWithContext(context.Background(), method, url, strings.NewReader(body))
	require.NoError(c.t, err)
	if strings.HasPrefix(url, c.base+"/v1/") && c.secret != "" {
		req.Header.Set("Authorization", "Bearer "+c.secret)
	}
	if body != "" && body[0] == '{' {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(c.t, err)
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	require.NoError(c.t, err)
	a := answered{status: resp.StatusCode, header: resp.Header, body: string(b)}
	_ = json.Unmarshal(b, &a.value)
	return a
}

// at returns the member at a path.
func (a answered) at(path ...string) any {
	var v any = a.value
	for _, name := range path {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

func (a answered) text(path ...string) string {
	s, _ := a.at(path...).(string)
	return s
}
