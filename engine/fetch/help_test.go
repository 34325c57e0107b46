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
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fetch"
)

// media begins like an MP3 and is longer than the bytes that are sniffed.
func media() []byte {
	return append([]byte("ID3\x04\x00\x00\x00\x00\x00\x00"), bytes.Repeat([]byte{0xff, 0xfb, 0x90, 0x64}, 5000)...)
}

func serve(t *testing.T, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server
}

// raw reads a request's headers and passes the connection to talk.
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

// private returns a client that may connect to the test's servers.
func private(cfg fetch.Config) *fetch.Client {
	cfg.AllowPrivate = true
	return fetch.New(cfg)
}

// get downloads into memory.
func get(c *fetch.Client, url string) ([]byte, engine.FetchInfo, error) {
	var b bytes.Buffer
	info, err := c.Fetch(context.Background(), engine.FetchRequest{URL: url}, &b)
	return b.Bytes(), info, err
}

// requireError checks err's Code and Retryable, and that its message contains message.
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

// literalURL returns a URL with an address as its host; port 0 is omitted.
func literalURL(host string, port uint16) string {
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port != 0 {
		host += ":" + strconv.Itoa(int(port))
	}
	return "http://" + host + "/a.mp3"
}

// canary is a listener that nothing may connect to.
type canary struct{ net.Listener }

func newCanary(t *testing.T, address string) canary {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil && !strings.HasPrefix(address, "127.0.0.1:") && os.Getenv("CI") != "true" {
		t.Skip("this machine has no second loopback address: ", err)
	}
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	return canary{l}
}

func (c canary) port() uint16 { return uint16(c.Addr().(*net.TCPAddr).Port) }

// requireSilent checks that nobody connected. Connections are accepted in the order in which they were made, so the first
// must be its own.
func (c canary) requireSilent(t *testing.T) {
	t.Helper()
	own, err := net.Dial("tcp", c.Addr().String())
	require.NoError(t, err)
	defer func() { _ = own.Close() }()
	first, err := c.Accept()
	require.NoError(t, err)
	defer func() { _ = first.Close() }()
	require.Equal(t, own.LocalAddr().String(), first.RemoteAddr().String(), "another client connected to the canary")
}

// loopback4 is the address of the test servers.
func loopback4() netip.Prefix { return netip.MustParsePrefix("127.0.0.1/32") }

// writerFunc makes a function an io.Writer.
type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

var _ io.Writer = writerFunc(nil)
