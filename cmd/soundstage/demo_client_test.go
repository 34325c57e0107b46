package main

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// The demo sends its secret to the server, and never to the storage that signed addresses name.
func TestDemoSecret(t *testing.T) {
	t.Parallel()
	echo := func() *httptest.Server {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			_, _ = w.Write([]byte(req.Header.Get("Authorization")))
		}))
		t.Cleanup(s.Close)
		return s
	}
	server, storage := echo(), echo()
	c := client{base: server.URL, secret: "sk_1"}
	for url, want := range map[string]string{server.URL + "/v1/usage": "Bearer sk_1", storage.URL + "/x": ""} {
		got, err := c.get(t.Context(), url)
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
}
