package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// proxied runs `soundstage proxy` with flags while use uses it, and returns its exit code and output.
func proxied(t *testing.T, use func(url string), flags ...string) (code int, out, errOut string) {
	t.Helper()
	ready := filepath.Join(t.TempDir(), "ready.json")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var o, e bytes.Buffer
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, append([]string{"proxy", "--addr", "127.0.0.1:0", "--ready-file", ready}, flags...), streams{strings.NewReader(""), &o, &e})
	}()
	for {
		select {
		case code := <-done:
			return code, o.String(), e.String()
		case <-time.After(5 * time.Millisecond):
		}
		raw, err := os.ReadFile(ready)
		if err != nil {
			continue
		}
		var r proxyReadiness
		require.NoError(t, json.Unmarshal(raw, &r))
		use(r.URL)
		stop()
		code := <-done
		require.NoFileExists(t, ready)
		return code, o.String(), e.String()
	}
}

// get gets a path with a secret and returns the status and the body.
func get(t *testing.T, url string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer sk_sandbox_platform")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(body)
}

// What the proxy records of a service can be replayed, reported, judged, and made a fixture of.
func TestProxyCommands(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts sandboxes")
	s, err := emulator.New(t.Context(), emulator.Options{FFmpegOptional: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	dir := t.TempDir()
	recorded, page, junit := filepath.Join(dir, "recorded"), filepath.Join(dir, "drift.html"), filepath.Join(dir, "drift.xml")
	var spaces string
	code, out, errOut := proxied(t, func(url string) {
		_, spaces = get(t, url+"/v1/spaces")
		status, _ := get(t, url+"/v1/recordings/00000000-0000-4000-8000-0000000000ff")
		require.Equal(t, 404, status)
	}, "--to", s.URL(), "--record", recorded, "--report", page, "--report", junit)
	require.Zero(t, code, errOut)
	require.Contains(t, out, "→ "+s.URL())
	require.Contains(t, out, "2 exchanges checked, 0 differences")
	require.Contains(t, out, "recorded 2 exchanges")
	require.FileExists(t, page)
	require.FileExists(t, junit)

	code, out, errOut = proxied(t, func(url string) {
		status, body := get(t, url+"/v1/spaces")
		require.Equal(t, 200, status)
		require.Equal(t, spaces, body)
	}, "--replay", recorded)
	require.Zero(t, code, errOut)
	require.Contains(t, out, "1 by an equal request")

	code, out, errOut = proxied(t, func(url string) {
		status, _ := get(t, url+"/v1/usage")
		require.Equal(t, http.StatusNotImplemented, status)
	}, "--replay", recorded)
	require.Equal(t, 6, code)
	require.Contains(t, out, "miss  GET /v1/usage: no request for this path was recorded")
	require.Contains(t, errOut, "1 request was not recorded.")
	for _, miss := range []string{"sandbox", "forward"} {
		code, _, errOut = proxied(t, func(url string) {
			status, body := get(t, url+"/v1/usage")
			require.Equal(t, 200, status, body)
		}, "--replay", recorded, "--miss", miss)
		require.Zero(t, code, errOut)
	}

	code, out, errOut = cli(t, "conformance", "--against", recorded, "--only", "*.unknown")
	require.Zero(t, code, errOut)
	require.Contains(t, out, "recordings.get.unknown")
	code, out, errOut = cli(t, "drift", recorded, "--format", "json")
	require.Zero(t, code, errOut)
	require.Contains(t, out, `"findings": []`)
	fixture := filepath.Join(dir, "fixture.yaml")
	code, _, errOut = cli(t, "fixtures", "from", recorded, "-o", fixture)
	require.Zero(t, code, errOut)
	require.Contains(t, errOut, "1 space, 0 recordings")
	require.FileExists(t, fixture)
}

// A service that differs makes the commands exit with 6, and the proxy says it at once.
func TestProxyFindsDrift(t *testing.T) {
	t.Parallel()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"spaces":[],"count":"0"}`)
	}))
	t.Cleanup(service.Close)
	recorded := filepath.Join(t.TempDir(), "recorded")
	code, out, errOut := proxied(t, func(url string) { get(t, url+"/v1/spaces") }, "--to", service.URL, "--record", recorded)
	require.Equal(t, 6, code)
	require.Contains(t, out, "DRIFT listSpaces.200.type./count (contract, specified)")
	require.Contains(t, errOut, "drift (specified): listSpaces.200.type./count")
	require.Contains(t, errOut, "The service differs: 1 difference.")
	code, _, _ = cli(t, "drift", recorded)
	require.Equal(t, 6, code)
	report := filepath.Join(t.TempDir(), "drift.html")
	code, _, _ = cli(t, "drift", recorded, "--format", "html", "-o", report)
	require.Equal(t, 6, code)
	require.FileExists(t, report)
}

// Wrong flags and unusable folders are refused before anything is forwarded.
func TestProxyRefusals(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	newer := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(newer, "recording.json"), []byte(`{"format":"soundstage-recording","version":9}`), 0o600))
	for _, k := range []struct {
		args string
		code int
		says string
	}{
		{"proxy", 2, "--to is required"},
		{"proxy --to example.com", 2, "is not the address of a service"},
		{"proxy --to https://example.com/v1", 2, "ends with /v1"},
		{"proxy --to https://example.com --miss sandbox", 2, "--miss needs --replay"},
		{"proxy --to https://example.com --ignore-member title", 2, "--ignore-member needs --replay"},
		{"proxy --replay x --miss never", 2, "never"},
		{"proxy --replay x --record y", 2, "need a service"},
		{"proxy --replay x --record ./x --miss forward", 2, "must not be the same folder"},
		{"proxy --to https://example.com --report a.pdf", 2, "no known extension"},
		{"proxy --to https://example.com --report " + dir + "/none/a.txt", 2, "does not exist"},
		{"proxy --to https://example.com --timeout 0s", 2, "--timeout"},
		{"proxy --to https://example.com --max-body 0", 2, "--max-body"},
		{"proxy --to https://example.com --max-body 1000000000", 2, "at most 268435456"},
		{"proxy --to https://example.com --public-url nowhere", 2, "not a valid public URL"},
		{"proxy --to https://example.com --ca-file " + dir + "/file --addr 127.0.0.1:0", 2, "no certificate"},
		{"proxy --to https://example.com --ca-file " + dir + "/none --addr 127.0.0.1:0", 2, "can't be read"},
		{"proxy --to https://example.com --addr 256.0.0.1:1", 5, "can't listen"},
		{"proxy --to https://example.com --addr 127.0.0.1:0 --record " + dir + "/file/x", 5, "can't be written"},
		{"proxy --to https://example.com --addr 127.0.0.1:0 --record " + dir, 4, "other files"},
		{"proxy --to https://example.com --addr 127.0.0.1:0 --record " + newer, 2, "version 9"},
		{"proxy --replay " + newer, 2, "version 9"},
		{"proxy --replay " + dir, 3, "no recorded exchanges"},
		{"drift " + dir, 3, "no recorded exchanges"},
		{"drift " + newer, 2, "version 9"},
		{"drift " + dir + " --format pdf", 2, "pdf"},
		{"drift", 2, "a folder"},
		{"fixtures from " + dir, 3, "no recorded exchanges"},
		{"fixtures of " + dir, 2, "unknown command"},
		{"conformance --against " + dir, 3, "no recorded exchanges"},
		{"conformance --against " + dir + " --format junit", 2, "junit"},
		{"conformance --against " + dir + " --base-url http://127.0.0.1:1", 2, "can't be combined"},
	} {
		code, _, errOut := cli(t, strings.Fields(k.args)...)
		require.Equal(t, k.code, code, "%s: %s", k.args, errOut)
		require.Contains(t, errOut, k.says, k.args)
	}
}
