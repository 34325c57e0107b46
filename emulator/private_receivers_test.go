package emulator_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
)

// Webhooks, imports, and transcripts can't reach the sandbox's own API, even with private addresses allowed.
func TestTheSandboxIsNotItsOwnReceiver(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{AllowPrivateURLs: true, FFmpegOptional: true})
	own := s.URL() + "/_soundstage/reset"
	for path, body := range map[string]string{
		"/v1/webhooks": fmt.Sprintf(`{"url":%q,"events":["transcript.completed"]}`, own),
		"/v1/imports":  fmt.Sprintf(`{"url":%q}`, own),
	} {
		status, v := as(t, "sk_sandbox_platform", "POST", s.URL()+path, body)
		require.Equal(t, 400, status, path)
		require.Equal(t, "url must resolve to a public address", v["error"], path)
	}
}

// Webhooks, imports, and redirects of a sandbox can't use the control API of another one on this machine.
func TestAnotherSandboxIsNoReceiver(t *testing.T) {
	t.Parallel()
	victim := start(t, emulator.Options{FFmpegOptional: true})
	status, _ := as(t, "sk_sandbox_platform", "POST", victim.URL()+"/v1/prompts", `{"name":"kept","prompt":"Tell the jokes."}`)
	require.Equal(t, 201, status)
	redirect := httptest.NewServer(http.RedirectHandler(victim.URL()+"/_soundstage/requests.har", http.StatusTemporaryRedirect))
	t.Cleanup(redirect.Close)

	s := start(t, emulator.Options{AllowPrivateURLs: true, FFmpegOptional: true})
	_, v := as(t, "sk_sandbox_platform", "POST", s.URL()+"/v1/webhooks", fmt.Sprintf(`{"url":%q,"events":["transcript.completed"]}`, victim.URL()+"/_soundstage/reset"))
	path := s.URL() + "/v1/webhooks/" + v["webhook"].(map[string]any)["id"].(string)
	status, _ = as(t, "sk_sandbox_platform", "POST", path+"/test", "")
	require.Equal(t, 202, status)
	require.Eventually(t, func() bool {
		_, v := as(t, "sk_sandbox_platform", "GET", path+"/deliveries", "")
		attempts := v["deliveries"].([]any)[0].(map[string]any)["attempts"].([]any)
		return len(attempts) > 0 && attempts[0].(map[string]any)["status_code"] == 403.0
	}, 30*time.Second, 5*time.Millisecond)

	for _, url := range []string{victim.URL() + "/_soundstage/requests.har", redirect.URL} {
		_, v = as(t, "sk_sandbox_platform", "POST", s.URL()+"/v1/imports", fmt.Sprintf(`{"url":%q}`, url))
		path = s.URL() + "/v1/imports/" + v["import_id"].(string)
		require.Eventually(t, func() bool {
			_, v = as(t, "sk_sandbox_platform", "GET", path, "")
			return v["status"] == "error"
		}, 30*time.Second, 5*time.Millisecond, "%v", v)
		require.Equal(t, "The server answered with status 403 (Forbidden).", v["error"])
	}
	_, v = as(t, "sk_sandbox_platform", "GET", victim.URL()+"/v1/prompts", "")
	require.Contains(t, fmt.Sprint(v), "kept", "the other sandbox was reset")
}

// Only the platform tier sees what a private receiver answered.
func TestResponsesOfPrivateReceivers(t *testing.T) {
	t.Parallel()
	inner := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "inner secret") }))
	t.Cleanup(inner.Close)
	s := start(t, emulator.Options{AllowPrivateURLs: true, FFmpegOptional: true})
	_, v := as(t, "sk_sandbox_automation", "POST", s.URL()+"/v1/webhooks", fmt.Sprintf(`{"url":%q,"events":["transcript.completed"]}`, inner.URL))
	path := s.URL() + "/v1/webhooks/" + v["webhook"].(map[string]any)["id"].(string)
	status, _ := as(t, "sk_sandbox_automation", "POST", path+"/test", "")
	require.Equal(t, 202, status)
	attempt := func(secret string) map[string]any {
		_, v := as(t, secret, "GET", path+"/deliveries", "")
		list := v["deliveries"].([]any)[0].(map[string]any)["attempts"].([]any)
		if len(list) == 0 {
			return nil
		}
		return list[0].(map[string]any)
	}
	require.Eventually(t, func() bool { return attempt("sk_sandbox_platform") != nil }, time.Minute, 5*time.Millisecond)
	require.Equal(t, "inner secret", attempt("sk_sandbox_platform")["response_body"])
	hidden := attempt("sk_sandbox_automation")
	require.Nil(t, hidden["response_body"])
	require.EqualValues(t, 200, hidden["status_code"])
}
