package console_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/console"
)

// get sends a request with headers, and returns the response and its body as sent.
func get(t *testing.T, method, url string, header ...string) (*http.Response, []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	require.NoError(t, err)
	for i := 0; i < len(header); i += 2 {
		req.Header.Add(header[i], header[i+1])
	}
	transport := &http.Transport{DisableCompression: true}
	defer transport.CloseIdleConnections()
	resp, err := transport.RoundTrip(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp, body
}

func serve(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(console.Handler(""))
	t.Cleanup(s.Close)
	return s.URL + console.Path
}

// Every built file is served with its type, plain and compressed, and unchanged: the page of the sandbox, or that of a node, and what both load.
func TestFiles(t *testing.T) {
	t.Parallel()
	sandbox, seen := serve(t), map[string]bool{}
	node := httptest.NewServer(console.Operators())
	t.Cleanup(node.Close)
	require.NoError(t, filepath.WalkDir("dist", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		name, base := filepath.ToSlash(strings.TrimPrefix(path, "dist"+string(filepath.Separator))), sandbox
		switch name {
		case "player.html": // of WritePlayer
			return nil
		case "operators.html":
			base = node.URL + console.Path
		}
		plain, body := get(t, "GET", base+name)
		require.Equal(t, 200, plain.StatusCode, name)
		require.Equal(t, want, body, name)
		require.Empty(t, plain.Header.Get("Content-Encoding"), name)
		require.NotContains(t, plain.Header.Get("Content-Type"), "octet-stream", name)
		zipped, body := get(t, "GET", base+name, "Accept-Encoding", "br, gzip")
		if zipped.Header.Get("Content-Encoding") == "gzip" {
			seen[filepath.Ext(name)] = true
			require.Less(t, len(body), len(want), name)
			r, err := gzip.NewReader(bytes.NewReader(body))
			require.NoError(t, err)
			unzipped, err := io.ReadAll(r)
			require.NoError(t, err)
			require.Equal(t, want, unzipped, name)
			require.NotEqual(t, plain.Header.Get("ETag"), zipped.Header.Get("ETag"), "two forms need two tags")
			require.Equal(t, "Accept-Encoding", plain.Header.Get("Vary"))
		}
		return nil
	}))
	require.True(t, seen[".html"] && seen[".js"] && seen[".css"], seen)
}

// The first page is never cached without asking; its hashed files are cached for ever.
func TestCaching(t *testing.T) {
	t.Parallel()
	base := serve(t)
	page, body := get(t, "GET", base)
	require.Equal(t, "no-cache", page.Header.Get("Cache-Control"))
	require.Equal(t, "text/html; charset=utf-8", page.Header.Get("Content-Type"))
	tag := page.Header.Get("ETag")
	for sent, want := range map[string]int{tag: 304, `W/` + tag: 304, `"x", ` + tag: 304, "*": 304, `"x"`: 200, "": 200} {
		again, rest := get(t, "GET", base, "If-None-Match", sent)
		require.Equal(t, want, again.StatusCode, sent)
		require.Equal(t, want == 304, len(rest) == 0)
		require.NotEmpty(t, again.Header.Get("Content-Security-Policy"))
	}
	scripts := regexp.MustCompile(`src="\./(assets/[^"]+\.js)"`).FindSubmatch(body)
	require.NotNil(t, scripts, "%s", body)
	script, code := get(t, "GET", base+string(scripts[1]))
	require.Equal(t, "public, max-age=31536000, immutable", script.Header.Get("Cache-Control"))
	require.Equal(t, "text/javascript; charset=utf-8", script.Header.Get("Content-Type"))
	head, none := get(t, "HEAD", base+string(scripts[1]))
	require.Empty(t, none)
	require.EqualValues(t, len(code), head.ContentLength)
	require.Equal(t, script.Header.Get("ETag"), head.Header.Get("ETag"))
}

// Clients that take no gzip don't get it, however they say so.
func TestEncodings(t *testing.T) {
	t.Parallel()
	base := serve(t)
	for sent, want := range map[string]bool{
		"gzip": true, "GZIP": true, "br;q=1.0, gzip;q=0.5": true, "*": true, "gzip ; q = 0.1": true, "x-gzip": true,
		"": false, "identity": false, "gzip;q=0": false, "gzip;q=0.000": false, "*, gzip;q=0": false, "*;q=0": false, "gzip;q=x": false, "gzipped": false,
	} {
		resp, _ := get(t, "GET", base, "Accept-Encoding", sent)
		require.Equal(t, want, resp.Header.Get("Content-Encoding") == "gzip", "%q", sent)
	}
}

// A page may load and connect only what the policy lists, and nothing inline. No built page needs more.
func TestPolicy(t *testing.T) {
	t.Parallel()
	base := serve(t)
	resp, body := get(t, "GET", base)
	policy := resp.Header.Get("Content-Security-Policy")
	require.Equal(t, "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; "+
		"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'", policy)
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY", "Cross-Origin-Opener-Policy": "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin",
	} {
		require.Equal(t, want, resp.Header.Get(name))
	}
	require.NotRegexp(t, `<script(>| (?:[^s]|s[^r])[^>]*>[^<])|<style|\son\w+=|\sstyle=|https?://`, string(body))
	away := httptest.NewServer(console.Handler("https://media.example:8443/base"))
	defer away.Close()
	resp, _ = get(t, "GET", away.URL+console.Path)
	for _, part := range []string{"media-src 'self' blob: https://media.example:8443;", "connect-src 'self' https://media.example:8443;", "script-src 'self';"} {
		require.Contains(t, resp.Header.Get("Content-Security-Policy"), part)
	}
}

// An unknown address gets a page that leads back, and other methods are refused.
func TestMissing(t *testing.T) {
	t.Parallel()
	base := serve(t)
	for _, name := range []string{"none", "assets", "assets/", "assets/none.js", "dist/index.html", "index.html/", "..%2fconsole.go", "%00", "missing.html", "operators.html", "player.html"} {
		resp, body := get(t, "GET", base+name, "Accept-Encoding", "gzip;q=0")
		require.Equal(t, 404, resp.StatusCode, name)
		require.Contains(t, string(body), `<a href="/_soundstage/console/">`, name)
		require.Equal(t, "no-cache", resp.Header.Get("Cache-Control"))
		require.NotEmpty(t, resp.Header.Get("Content-Security-Policy"))
	}
	resp, _ := get(t, "GET", base+"missing.css")
	require.Equal(t, 200, resp.StatusCode)
	require.Equal(t, "text/css; charset=utf-8", resp.Header.Get("Content-Type"))
	resp, body := get(t, "HEAD", base+"none")
	require.Equal(t, 404, resp.StatusCode)
	require.Empty(t, body)
	resp, _ = get(t, "POST", base)
	require.Equal(t, 405, resp.StatusCode)
	require.Equal(t, "GET, HEAD", resp.Header.Get("Allow"))
}

// Only a browser that gets / wants the console.
func TestWanted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method, path string
		accept       []string
		want         bool
	}{
		{"GET", "/", []string{"text/html,*/*;q=0.8"}, true},
		{"HEAD", "/", []string{"text/html"}, true},
		{"GET", "/?a=b", []string{"text/html"}, true},
		{"GET", "/", []string{"Text/HTML ; q=0.5"}, true},
		{"GET", "/", []string{"text/html;level=1;q=0.2", "image/png"}, true},
		{"GET", "/", []string{"image/png", "text/html"}, true},
		{"GET", "/", []string{"application/json, text/html"}, true},
		{"GET", "/", []string{"application/json, text/html;q=0.9"}, false},
		{"GET", "/", []string{"text/html;q=0, */*"}, false},
		{"GET", "/", []string{"text/html;q=0.0,application/xhtml+xml"}, false},
		{"GET", "/", []string{"text/html;q=x"}, false},
		{"GET", "/", []string{"text/html;Q=NaN"}, false},
		{"GET", "/", []string{"text/htmlx"}, false},
		{"GET", "/", []string{"text/*"}, false},
		{"GET", "/", []string{"*/*"}, false},
		{"GET", "/", []string{""}, false},
		{"GET", "/", nil, false},
		{"POST", "/", []string{"text/html"}, false},
		{"OPTIONS", "/", []string{"text/html"}, false},
		{"GET", "/v1", []string{"text/html"}, false},
		{"GET", "//", []string{"text/html"}, false},
	} {
		req := httptest.NewRequestWithContext(t.Context(), c.method, "http://h"+c.path, nil)
		req.Header["Accept"] = c.accept
		require.Equal(t, c.want, console.Wanted(req), "%+v", c)
	}
}
