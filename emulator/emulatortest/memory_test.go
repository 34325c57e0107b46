package emulatortest

import (
	"io"
	"net/http"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// serveMemory serves a handler in memory, and returns its listener and a client that reaches nothing else.
func serveMemory(t *testing.T, h http.HandlerFunc) (*memory, *http.Client) {
	t.Helper()
	m := newMemory()
	server := &http.Server{Handler: h}
	stopped := make(chan error, 1)
	go func() { stopped <- server.Serve(m) }()
	t.Cleanup(func() {
		require.NoError(t, server.Close())
		require.Error(t, <-stopped)
	})
	transport := &http.Transport{DialContext: m.DialContext}
	t.Cleanup(transport.CloseIdleConnections)
	return m, &http.Client{Transport: transport}
}

// A connection that the server takes and closes ends for its client in order, or with a reset when it doesn't linger, as over TCP.
func TestMemoryReset(t *testing.T) {
	t.Parallel()
	for linger, want := range map[int]error{0: syscall.ECONNRESET, 1: io.EOF} {
		_, client := serveMemory(t, func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			require.NoError(t, err)
			require.NoError(t, conn.(interface{ SetLinger(int) error }).SetLinger(linger))
			require.NoError(t, conn.Close())
		})
		_, err := client.Get("http://" + memoryAddr)
		require.ErrorIs(t, err, want)
	}
}

// A client reaches its listener, from an address of this machine, until the listener is closed; and nothing else.
func TestMemoryDial(t *testing.T) {
	t.Parallel()
	m, client := serveMemory(t, func(w http.ResponseWriter, req *http.Request) { _, _ = io.WriteString(w, req.RemoteAddr) })
	resp, err := client.Get("http://" + memoryAddr)
	require.NoError(t, err)
	from, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, "127.0.0.1:1", string(from))

	for _, other := range []string{"http://127.0.0.1:2", "https://example.com"} {
		_, err = client.Get(other)
		require.ErrorContains(t, err, "a sandbox without network has no way to")
	}
	require.NoError(t, m.Close())
	require.NoError(t, m.Close(), "closing again does nothing")
	client.CloseIdleConnections()
	_, err = client.Get("http://" + memoryAddr)
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
}

// A client that goes away ends the context of its request.
func TestMemoryClientGoes(t *testing.T) {
	t.Parallel()
	gone := make(chan struct{})
	_, client := serveMemory(t, func(w http.ResponseWriter, req *http.Request) {
		_, _ = io.WriteString(w, "first")
		_ = http.NewResponseController(w).Flush()
		<-req.Context().Done()
		close(gone)
	})
	resp, err := client.Get("http://" + memoryAddr)
	require.NoError(t, err)
	_, err = io.ReadFull(resp.Body, make([]byte, 5))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	<-gone
}
