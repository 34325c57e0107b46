package outbox_test

import (
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/outbox"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fetch"
)

// An attempt shows the request as it was written, over HTTP/2 too. A response body that is not UTF-8 is also returned in base64. A
// request without a connection is shown as it would have been.
func TestAttemptShowsWrittenRequest(t *testing.T) {
	t.Parallel()
	var got http.Header
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		got = req.Header.Clone()
		_, _ = io.WriteString(w, "a\xff"+strings.Repeat("b", 5000))
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	sender := fetch.NewSender(fetch.Config{AllowPrivate: true, RootCAs: roots})
	t.Cleanup(sender.Close)
	o := outbox.New(outbox.Config{Sender: sender})
	req := engine.SendRequest{
		URL: server.URL + "/hook", Delivery: "d-1", Event: engine.EventOutputCompleted, Body: []byte(`{"type":"output.completed"}`),
		Header: map[string]string{"content-type": "application/json", "webhook-id": "e-1", "webhook-timestamp": "12", "webhook-signature": "v1,x"},
	}
	_, err := o.Send(t.Context(), req)
	require.NoError(t, err)
	m, err := o.Get("d-1")
	require.NoError(t, err)
	a := m.Attempts[0]
	require.Equal(t, "POST /hook HTTP/2.0", a.Request.Line)
	require.Equal(t, outbox.Header{Name: "host", Value: strings.TrimPrefix(server.URL, "https://")}, a.Request.Headers[0])
	names := map[string]string{}
	for _, h := range a.Request.Headers[1:] {
		names[http.CanonicalHeaderKey(h.Name)] = h.Value
	}
	require.Len(t, names, len(got))
	for name := range got {
		require.Equal(t, got.Get(name), names[name], name)
	}
	require.Equal(t, `e-1.12.{"type":"output.completed"}`, a.Request.Signed)
	require.Len(t, a.Response.Body, 2048+2, "the invalid byte becomes a replacement character of three bytes")
	require.NotEmpty(t, a.Response.BodyBase64)

	req.URL, req.Delivery = "http://127.0.0.1:1/nobody", "d-2"
	_, err = o.Send(t.Context(), req)
	require.Error(t, err)
	m, err = o.Get("d-2")
	require.NoError(t, err)
	require.Equal(t, outbox.StatusFailed, m.Status)
	require.Nil(t, m.Attempts[0].Response)
	require.Equal(t, "The receiver refused the connection.", m.Attempts[0].Error)
	require.Equal(t, "POST /nobody HTTP/1.1", m.Attempts[0].Request.Line)
	require.Equal(t, outbox.Header{Name: "Host", Value: "127.0.0.1:1"}, m.Attempts[0].Request.Headers[0])
}
