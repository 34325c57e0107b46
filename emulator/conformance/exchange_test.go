package conformance

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A report contains no API secret, webhook secret, or signature.
func TestReportsKeepSecrets(t *testing.T) {
	t.Parallel()
	s := newSession(t.Context(), Config{BaseURL: "https://api.example.com", Secret: "sk_live_very_secret", SecretOther: "sk_live_another"})
	x := s.exchange(answer{
		method: "POST", url: "https://api.example.com/v1/webhooks?key=sk_live_another", sent: `{"url":"https://example.com/sk_live_very_secret"}`,
		status: 201, header: http.Header{"Location": {"/v1/webhooks/1?secret=sk_live_another"}},
		body: []byte(`{"secret":"whsec_c2VjcmV0c2VjcmV0","upload_url":"https://store.example.com/a?sig=abc","asset_url": "https://store.example.com/b?sig=def"}`),
	})
	require.Equal(t, "https://api.example.com/v1/webhooks?key=[secret]", x.URL)
	require.Equal(t, `{"url":"https://example.com/[secret]"}`, x.Request)
	require.Equal(t, "/v1/webhooks/1?secret=[secret]", x.Headers["Location"])
	require.Equal(t, `{"secret":"whsec_[secret]","upload_url":"https://store.example.com/a?[signature]","asset_url": "https://store.example.com/b?[signature]"}`, x.Response)
	put := s.exchange(answer{method: "PUT", url: "https://store.example.com/a?sig=abc", status: 403, body: []byte{0xff}})
	require.Equal(t, "https://store.example.com/a", put.URL)
	require.Equal(t, "(binary)", put.Response)
	require.Nil(t, s.exchange(answer{}))
}

// signedBy accepts the example of the Standard Webhooks specification and rejects variations of it.
func TestSignatures(t *testing.T) {
	t.Parallel()
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	body := []byte(`{"test": 2432232314}`)
	header := http.Header{}
	header.Set("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek")
	header.Set("webhook-timestamp", "1614265330")
	header.Set("webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
	require.True(t, signedBy(secret, header, body))
	require.False(t, signedBy(secret, header, append(body, ' ')))
	require.False(t, signedBy("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSx", header, body))
	require.False(t, signedBy("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", header, body))
	require.False(t, signedBy("whsec_", header, body))
	header.Set("webhook-signature", "v1a,x v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
	require.True(t, signedBy(secret, header, body), "several signatures, one of them valid")
	header.Set("webhook-timestamp", "1614265331")
	require.False(t, signedBy(secret, header, body))
}

// A request belongs to the endpoint whose pattern it matches. Every endpoint has a probe or an endpoint that creates its resource.
func TestEndpoints(t *testing.T) {
	t.Parallel()
	for request, want := range map[string]string{
		"GET /v1/recordings?limit=1":                "/v1/recordings",
		"GET /v1/recordings/1":                      "/v1/recordings/{id}",
		"GET /v1/recordings/1/speakers":             "/v1/recordings/{id}/speakers",
		"POST /v1/recordings/1/speakers/assign":     "/v1/recordings/{id}/speakers/assign",
		"POST /v1/webhooks/1/deliveries/2/replay":   "/v1/webhooks/{id}/deliveries/{delivery_id}/replay",
		"PUT /v1/recordings/1":                      "",
		"GET /v1/recordings/":                       "",
		"GET /v1/no-such-endpoint":                  "",
		"DELETE /v1/webhooks/1":                     "/v1/webhooks/{id}",
		"GET /v1/spaces/1/speakers?anything=at+all": "/v1/spaces/{space_id}/speakers",
	} {
		method, path, _ := strings.Cut(request, " ")
		e, _ := endpointOf(method, path)
		require.Equal(t, want, e.path, request)
	}
	for _, e := range endpoints() {
		if e.creator == "" {
			require.NotEmpty(t, e.probePath, e.path)
			continue
		}
		method, path, _ := strings.Cut(e.creator, " ")
		by, ok := endpointOf(method, path)
		require.True(t, ok && by.creator == "", "%s %s: no endpoint creates its resource; add one to creators (endpoint.go)", e.method, e.path)
	}
}
