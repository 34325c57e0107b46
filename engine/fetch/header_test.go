package fetch_test

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fetch"
)

// requestedHeaders returns headers that a careless or hostile resolver might request.
func requestedHeaders() map[string]string {
	return map[string]string{
		"user-agent": "Browser/1", "Accept": "audio/*", "Accept-Language": "de", "Cookie": "session=1", "REFERER": "https://page.test/",
		"Origin": "https://page.test", "Authorization": "Bearer secret", "Proxy-Authorization": "Basic secret", "Host": "internal.test",
		"Connection": "keep-alive, X-Secret", "Transfer-Encoding": "chunked", "Content-Length": "5", "Range": "bytes=1-", "If-Range": "x",
		"Accept-Encoding": "gzip", "X-Forwarded-For": "127.0.0.1", "X-Aws-Ec2-Metadata-Token-Ttl-Seconds": "1", "Metadata-Flavor": "Google",
		"Upgrade": "websocket", "Te": "trailers", "": "x", "bad name": "x",
	}
}

// Only the safe requested headers are sent, and the encoding stays identity.
func TestAskedHeaders(t *testing.T) {
	t.Parallel()
	seen := make(chan *http.Request, 1)
	server := serve(t, func(_ http.ResponseWriter, r *http.Request) { seen <- r })
	_, err := private(fetch.Config{}).Fetch(context.Background(), engine.FetchRequest{URL: server.URL, Header: requestedHeaders()}, &bytes.Buffer{})
	require.NoError(t, err)
	r := <-seen
	require.Equal(t, server.URL, "http://"+r.Host)
	require.Equal(t, http.Header{
		"User-Agent": {"Browser/1"}, "Accept": {"audio/*"}, "Accept-Language": {"de"}, "Cookie": {"session=1"},
		"Referer": {"https://page.test/"}, "Origin": {"https://page.test"}, "Accept-Encoding": {"identity"}, "Connection": {"close"},
	}, r.Header)
}

// After a redirect to another origin, Cookie, Referer, and Origin are left out; back at the first origin they are sent.
func TestHeadersStayAtHome(t *testing.T) {
	t.Parallel()
	seen := make(chan http.Header, 3)
	home := ""
	away := serve(t, func(w http.ResponseWriter, r *http.Request) {
		seen <- r.Header
		http.Redirect(w, r, home+"/back", http.StatusFound)
	})
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		seen <- r.Header
		if r.URL.Path != "/back" {
			http.Redirect(w, r, away.URL, http.StatusFound)
		}
	})
	home = server.URL
	_, err := private(fetch.Config{}).Fetch(context.Background(), engine.FetchRequest{URL: home + "/a", Header: requestedHeaders()}, &bytes.Buffer{})
	require.NoError(t, err)
	for _, atHome := range []bool{true, false, true} {
		h := <-seen
		require.Equal(t, "Browser/1", h.Get("User-Agent"))
		require.Equal(t, "de", h.Get("Accept-Language"))
		for _, name := range []string{"Cookie", "Referer", "Origin"} {
			require.Equal(t, atHome, h.Get(name) != "", name)
		}
	}
}

// A value that is not valid in a header is an error that names the header, and nothing is sent.
func TestMalformedHeaderValues(t *testing.T) {
	t.Parallel()
	trap := newCanary(t, "127.0.0.1:0")
	for _, value := range []string{"a\r\nHost: internal", "a\nb", "a\x00b", "\x7f", strings.Repeat("a", 9000)} {
		_, err := private(fetch.Config{}).Fetch(context.Background(), engine.FetchRequest{
			URL: "http://" + trap.Addr().String(), Header: map[string]string{"cookie": value},
		}, &bytes.Buffer{})
		requireError(t, err, engine.CodeInvalid, false, "The value of header Cookie is longer than 8 KiB or contains control characters.")
	}
	trap.requireSilent(t)
}
