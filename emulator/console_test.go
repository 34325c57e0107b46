package emulator_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
)

// browse sends a GET without following redirects, and returns the status, where it redirects to, and the body.
func browse(t *testing.T, url string, header ...string) (status int, location, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
	require.NoError(t, err)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			req.Host = header[i+1]
		}
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, resp.Header.Get("Location"), string(raw)
}

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

// Browsers that open / are sent to the console. Everything else is as without it.
func TestConsole(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{})
	status, location, _ := browse(t, s.URL()+"/", "Accept", browser)
	require.Equal(t, 302, status)
	require.Equal(t, "/_soundstage/console/", location)
	for _, accept := range []string{"", "*/*", "application/json"} {
		status, _, body := browse(t, s.URL()+"/", "Accept", accept, "Authorization", "Bearer sk_sandbox_core")
		require.Equal(t, 404, status)
		require.True(t, strings.HasPrefix(body, `{"error":`), body)
	}
	status, _, body := browse(t, s.URL()+"/v1/none", "Accept", browser, "Authorization", "Bearer sk_sandbox_core")
	require.Equal(t, 404, status)
	require.True(t, strings.HasPrefix(body, `{"error":`), body)
	status, _, _ = browse(t, s.URL()+"/v1/spaces", "Accept", browser)
	require.Equal(t, 401, status)
	status, _, body = browse(t, s.URL()+"/_soundstage/console/")
	require.Equal(t, 200, status)
	require.Contains(t, body, "<title>Soundstage console</title>")
	status, location, _ = browse(t, s.URL()+"/_soundstage/console")
	require.Equal(t, "/_soundstage/console/", location)
	require.Contains(t, []int{301, 307, 308}, status)
	_, v := as(t, "", "GET", s.URL()+"/_soundstage/requests", "")
	require.EqualValues(t, 5, v["count"], "the console's own requests are not in the log")
}

// The console's pages are as public as the server, but its data is behind the token. Foreign hosts get nothing of a sandbox.
func TestConsoleGuard(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{ControlToken: "t0ken"})
	status, _, _ := browse(t, s.URL()+"/_soundstage/console/")
	require.Equal(t, 200, status)
	status, _, _ = browse(t, s.URL()+"/_soundstage/counts")
	require.Equal(t, 401, status)
	for _, path := range []string{"/", "/_soundstage/console/"} {
		status, _, _ = browse(t, s.URL()+path, "Accept", browser, "Host", "evil.example")
		require.Equal(t, 403, status, path)
	}
}
