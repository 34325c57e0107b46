package emulator_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
)

// A path with an empty, "." or ".." segment is an unknown path. It never leads to another resource: nothing redirects it. Under /v1 it needs a
// secret, and it is in the log of the requests.
func TestInexactPaths(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{FFmpegOptional: true})
	const exact, inexact = "There is no such endpoint.", `There is no such endpoint: the path has an empty, ".", or ".." segment.`
	const nothing, control = "There is nothing at this path.", "The control API has no endpoint "
	logged := map[string][]float64{}
	for _, c := range []struct {
		method, path string
		anonymous    int // status without a secret
		want         string
	}{
		{"GET", "/v1", 401, exact},
		{"GET", "/v1/", 401, exact},
		{"GET", "/v1/recordings/", 401, exact},
		{"GET", "/v1/recordings/%2F/transcript", 401, exact},
		{"GET", "/v1%2Frecordings", 401, exact},
		{"POST", "//v1/prompts", 401, inexact},
		{"POST", "/v1//prompts", 401, inexact},
		{"POST", "/v1/./prompts", 401, inexact},
		{"POST", "/v1/spaces/../prompts", 401, inexact},
		{"GET", "/v1/recordings//transcript", 401, inexact},
		{"GET", "/v1/recordings/./transcript", 401, inexact},
		{"GET", "/v1/recordings/..", 401, inexact},
		{"OPTIONS", "/v1//usage", 401, inexact},
		{"GET", "/v1/../openapi.yaml", 401, inexact},
		{"GET", "/v1/../_soundstage/requests", 401, inexact},
		{"GET", "/v1/recordings/%2e%2e/transcript", 401, "No recording with this id was found."},
		{"GET", "/storage", 404, nothing},
		{"PUT", "//storage/obj_1", 404, nothing},
		{"GET", "/storage/", 404, "<Code>NoSuchKey</Code>"},
		{"GET", "/storage/../v1/usage", 404, "<Code>NoSuchKey</Code>"},
		{"GET", "/storage//obj_1", 404, "<Code>NoSuchKey</Code>"},
		{"PUT", "/storage/a/b", 404, "<Code>NoSuchKey</Code>"},
		{"GET", "//", 404, nothing},
		{"GET", "//openapi.yaml", 404, nothing},
		{"GET", "//_soundstage/requests", 404, nothing},
		{"GET", "/_soundstage", 404, control + "GET /_soundstage."},
		{"GET", "/_soundstage//requests", 404, control + "GET /_soundstage//requests."},
		{"POST", "/_soundstage/./reset", 404, control + "POST /_soundstage/./reset."},
		{"GET", "/_soundstage/console/../requests", 404, control + "GET /_soundstage/console/../requests."},
	} {
		for secret, status := range map[string]int{"": c.anonymous, "sk_sandbox_platform": 404} {
			got, kind, body := raw(t, s, c.method, c.path, secret)
			require.Equal(t, status, got, "%s %s: %s", c.method, c.path, body)
			if strings.HasPrefix(c.want, "<") {
				require.Contains(t, body, c.want, c.path)
				continue
			}
			require.Equal(t, "application/json", kind, c.path)
			var v struct{ Error string }
			require.NoError(t, json.Unmarshal([]byte(body), &v), "%s: %s", c.path, body)
			if status == 404 {
				require.Equal(t, c.want, v.Error, c.path)
			}
		}
		if !strings.HasPrefix(c.path, "/_soundstage") {
			logged[c.method+" "+c.path] = []float64{float64(c.anonymous), 404}
		}
	}
	_, v := call(t, "GET", s.URL()+"/_soundstage/requests", "")
	seen := map[string][]float64{}
	for _, r := range v["requests"].([]any) {
		r := r.(map[string]any)
		seen[r["method"].(string)+" "+r["path"].(string)] = append(seen[r["method"].(string)+" "+r["path"].(string)], r["status"].(float64))
		if strings.HasSuffix(r["path"].(string), "/./transcript") {
			require.Empty(t, r["op"], "the path is unknown")
		}
	}
	for request, statuses := range logged {
		require.ElementsMatch(t, statuses, seen[request], request)
	}
	_, v = call(t, "GET", s.URL()+"/v1/prompts", "")
	for _, p := range v["prompts"].([]any) {
		require.NotEqual(t, "inexact", p.(map[string]any)["name"], "nothing was created")
	}
}

// The console's address without the slash leads to the console.
func TestConsoleWithoutSlash(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{FFmpegOptional: true})
	status, _, _ := raw(t, s, "GET", "/_soundstage/console", "")
	require.Equal(t, http.StatusTemporaryRedirect, status)
}

// raw sends a request with the path as it is, and follows no redirect. Its body creates a prompt.
func raw(t *testing.T, s *emulator.Server, method, path, secret string) (status int, kind, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.URL()+path, strings.NewReader(`{"name":"inexact","prompt":"Sum up."}`))
	require.NoError(t, err)
	if secret != "" {
		req.Header.Set("Authorization", "Bearer "+secret)
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, resp.Header.Get("Content-Type"), string(b)
}
