package fetch_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fetch"
)

// media begins like an MP3 and is longer than what is sniffed.
func media() []byte {
	return append([]byte("ID3\x04\x00\x00\x00\x00\x00\x00"), bytes.Repeat([]byte{0xff, 0xfb, 0x90, 0x64}, 5000)...)
}

func serve(t *testing.T, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server
}

// raw serves what talk writes to the connection once a request's headers were read.
func raw(t *testing.T, talk func(c *net.TCPConn, r *http.Request)) *httptest.Server {
	t.Helper()
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		c, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		defer func() { _ = c.Close() }()
		talk(c.(*net.TCPConn), r)
	})
}

// private returns a client that may reach the test's servers.
func private(cfg fetch.Config) *fetch.Client {
	cfg.AllowPrivate = true
	return fetch.New(cfg)
}

// get fetches into memory.
func get(c *fetch.Client, url string) ([]byte, engine.FetchInfo, error) {
	var b bytes.Buffer
	info, err := c.Fetch(context.Background(), engine.FetchRequest{URL: url}, &b)
	return b.Bytes(), info, err
}

// requireError checks what kind of failure err is, and that its sentence contains message.
func requireError(t *testing.T, err error, code engine.Code, retryable bool, message string) {
	t.Helper()
	e, ok := errors.AsType[*engine.Error](err)
	require.True(t, ok, "%v", err)
	require.Equal(t, code, e.Code, err.Error())
	require.Equal(t, retryable, e.Retryable, err.Error())
	require.Contains(t, e.Msg, message)
}

// portOf returns the port of a server's URL.
func portOf(t *testing.T, rawURL string) uint16 {
	t.Helper()
	u, err := url.Parse(rawURL)
	require.NoError(t, err)
	n, err := strconv.ParseUint(u.Port(), 10, 16)
	require.NoError(t, err)
	return uint16(n)
}

// literalURL returns the URL of an address; port 0 is left out.
func literalURL(host string, port uint16) string {
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port != 0 {
		host += ":" + strconv.Itoa(int(port))
	}
	return "http://" + host + "/a.mp3"
}

// canary listens where nothing may connect.
type canary struct{ net.Listener }

func newCanary(t *testing.T, address string) canary {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil && !strings.HasPrefix(address, "127.0.0.1:") {
		t.Skip("this machine has no second loopback address: ", err)
	}
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	return canary{l}
}

func (c canary) port() uint16 { return uint16(c.Addr().(*net.TCPAddr).Port) }

// requireSilent checks that nobody connected: connections are accepted in the order in which they were made, so the first
// must be our own.
func (c canary) requireSilent(t *testing.T) {
	t.Helper()
	own, err := net.Dial("tcp", c.Addr().String())
	require.NoError(t, err)
	defer func() { _ = own.Close() }()
	first, err := c.Accept()
	require.NoError(t, err)
	defer func() { _ = first.Close() }()
	require.Equal(t, own.LocalAddr().String(), first.RemoteAddr().String(), "somebody else connected to the canary")
}

// loopback4 is the one address of the servers of the tests.
func loopback4() netip.Prefix { return netip.MustParsePrefix("127.0.0.1/32") }

// writerFunc is a writer made of a function.
type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

var _ io.Writer = writerFunc(nil)
