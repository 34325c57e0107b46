package emulatortest

import (
	"io"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// serveMemory serves a handler in memory and returns its listener and a client for it.
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

// A connection that the server closes ends with EOF, or with a reset if its linger is 0, like a TCP connection.
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

// A client reaches only its listener, from a loopback address, until the listener is closed.
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
		require.ErrorContains(t, err, "a sandbox without network can't connect to")
	}
	require.NoError(t, m.Close())
	require.NoError(t, m.Close(), "closing again does nothing")
	client.CloseIdleConnections()
	_, err = client.Get("http://" + memoryAddr)
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
}

// Closing a response's body cancels the context of its request.
func TestMemoryClientCloses(t *testing.T) {
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

// A read deadline that has passed ends a read; a later one doesn't, however slow the client is.
func TestMemoryReadDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		here, there := net.Pipe()
		conn := newServerConn(there, new(atomic.Bool))
		require.NoError(t, conn.SetReadDeadline(time.Now().Add(time.Second)))
		go func() {
			time.Sleep(time.Hour)
			_, _ = here.Write([]byte("late"))
		}()
		text := make([]byte, 4)
		_, err := io.ReadFull(conn, text)
		require.NoError(t, err)
		require.Equal(t, "late", string(text))

		require.NoError(t, conn.SetReadDeadline(time.Now()))
		_, err = conn.Read(text)
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	})
}
