package api_test

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// Requests with broken framing, sent over a socket, never cause a 5xx of the server's own, and each error has the error body. A request that
// hides a second one in its body gets one response, or its connection is closed.
func TestMutatedFraming(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it opens a connection for each request")
	r := newRig(t, emulator.Options{})
	pool := &idPool{ids: map[string][]string{}}
	m := newMutant(*mutationSeed, pool, contractOperations(t))
	addr := strings.TrimPrefix(r.server.URL(), "http://")
	statuses := map[int]int{}
	var slowest time.Duration
	for i := range max(100, *mutations/10) {
		sent := broken(m.rnd, m.plain(addr))
		began := time.Now()
		for _, status := range exchange(t, addr, sent) {
			statuses[status]++
			own := []int{http.StatusNotImplemented, http.StatusHTTPVersionNotSupported} // of HTTP, not of the service
			require.True(t, status < 500 || slices.Contains(own, status), "request %d: %d\n%.3000q", i, status, sent)
		}
		slowest = max(slowest, time.Since(began))
	}
	t.Logf("%d connections, slowest %v, by status: %v", max(100, *mutations/10), slowest, statuses)
	for _, status := range []int{200, 400, 401, 404} {
		require.Positive(t, statuses[status], "%v", statuses)
	}
}

// plain returns a mutated request as bytes with correct framing.
func (m *mutant) plain(host string) string {
	o := oneOf(m, m.ops)
	body := m.body(o)
	if strings.HasPrefix(o.path, "/v1/imports") || strings.HasPrefix(o.path, "/v1/webhooks") {
		body = nil // they may ask a name server
	}
	secret := oneOf(m, []string{"sk_sandbox_platform", "sk_sandbox_platform", "sk_sandbox_core", "none"})
	return fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		o.method, m.path(o), host, secret, len(body), body)
}

const hidden = "GET /v1/spaces HTTP/1.1\r\nHost: localhost\r\n\r\n"

// framings are the mistakes of framing: each replaces the first string by the second.
var framings = [][2]string{
	{" HTTP/1.1", " HTTP/1.0"}, {" HTTP/1.1", " HTTP/2.0"}, {" HTTP/1.1", " HTTP/9.9"}, {" HTTP/1.1", ""}, {" HTTP/1.1", "\tHTTP/1.1"},
	{"Host: ", "Host : "}, {"Host: ", "Host: a\r\nHost: "}, {"Host: ", "X-Host: "}, {"Host: ", "Host: user@"}, {"Host: ", "Host: evil.example\r\nX: "},
	{"Content-Length: ", "Content-Length: -"}, {"Content-Length: ", "Content-Length: 9"}, {"Content-Length: ", "Content-Length: +"},
	{"Content-Length: ", "Content-Length: 0x"}, {"Content-Length: ", "Content-Length: 1\r\nContent-Length: "}, {"Content-Length: ", "X: "},
	{"Content-Length: ", "Transfer-Encoding: chunked\r\nContent-Length: "}, {"Content-Length: ", "Transfer-Encoding: gzip\r\nContent-Length: "},
	{"Content-Length: ", "Transfer-Encoding: chunked\r\nX: "}, {"Content-Length: ", "Transfer-Encoding: \x0bchunked\r\nContent-Length: "},
	{"Content-Length: ", "Expect: 100-continue\r\nContent-Length: "}, {"Content-Length: ", "Expect: tea\r\nContent-Length: "},
	{"Content-Length: ", "Trailer: Content-Length\r\nContent-Length: "}, {"Content-Length: ", "Upgrade: h2c\r\nConnection: Upgrade\r\nContent-Length: "},
	{"Authorization: Bearer ", "Authorization: Bearer\x00 "}, {"Authorization: ", "Authorization: a\r\n b\r\nAuthorization: "},
	{"Authorization: ", ": "}, {"Authorization: ", strings.Repeat("A: b\r\n", 3000) + "Authorization: "},
	{"Authorization: ", "A: " + strings.Repeat("b", 20<<10) + "\r\nAuthorization: "}, {"\r\n", "\n"}, {"\r\n", "\r"}, {"\r\n", "\r\n\r\n"},
	{"/v1", "http://localhost/v1"}, {"/v1", "*"}, {"/v1", "/v1/%zz"}, {"/v1", "/\xff"}, {"/v1", "/v1 /x"}, {"GET ", "CONNECT "}, {"GET ", "PRI "},
	{"GET ", "G\x00T "}, {"POST ", "\r\n\r\nPOST "}, {"POST ", "\x16\x03\x01\x02\x00"},
}

// broken returns a request with a mistake in its framing.
func broken(rnd *rand.Rand, sent string) string {
	switch rnd.IntN(12) {
	case 0:
		return sent[:rnd.IntN(len(sent))]
	case 1:
		return sent + hidden
	case 2:
		b := []byte(sent)
		b[rnd.IntN(len(b))] = byte(rnd.IntN(256))
		return string(b)
	case 3:
		return strings.Replace(sent, "Content-Length: ", "Transfer-Encoding: chunked\r\nX: ", 1) + "0\r\n\r\n" + hidden
	case 4:
		size := []string{"zz", "-1", "ffffffffffffffff", "5;a=b", "1\n", ""}[rnd.IntN(6)]
		return strings.Replace(sent, "Content-Length: ", "Transfer-Encoding: chunked\r\nX: ", 1) + size + "\r\nx\r\n0\r\n\r\n"
	case 5:
		return sent
	}
	how := framings[rnd.IntN(len(framings))]
	return strings.Replace(sent, how[0], how[1], 1+rnd.IntN(2))
}

// exchange sends bytes on a new connection, ends its own side, and returns the statuses of the responses. The bodies of errors are checked.
func exchange(t *testing.T, addr, sent string) (statuses []int) {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	if _, err := io.WriteString(conn, sent); err != nil {
		return nil // refused before it was read
	}
	_ = conn.(*net.TCPConn).CloseWrite()
	for in := bufio.NewReader(conn); ; {
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			require.NotContains(t, err.Error(), "timeout", "%.3000q", sent)
			return statuses
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			return statuses
		}
		if resp.StatusCode == http.StatusContinue {
			continue
		}
		statuses = append(statuses, resp.StatusCode)
		if resp.StatusCode >= 400 {
			require.Empty(t, wrongError(resp.StatusCode, resp.Header, body), "%.3000q\n%s", sent, body)
		}
	}
}

// A path outside the API gets the error body, too.
func TestOtherPathsAreJSON(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	for _, path := range []string{"/", "/v2/spaces", "/V1/spaces", "/favicon.ico"} {
		a := r.do("GET", path, nil)
		require.Equal(t, http.StatusNotFound, a.status, path)
		require.JSONEq(t, `{"error":"There is nothing at this path."}`, string(a.body), path)
	}
}
