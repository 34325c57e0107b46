package emulator_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
)

// pipes is a net.Listener of pipes. Unlike emulatortest's, it has deadlines.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
	close func()
}

func newPipes() *pipes {
	p := &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
	p.close = sync.OnceFunc(func() { close(p.done) })
	return p
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return pipe{c}, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.close()
	return nil
}

func (p *pipes) Addr() net.Addr { return loopbackTCP }

var loopbackTCP = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1}

type pipe struct{ net.Conn }

func (pipe) RemoteAddr() net.Addr { return loopbackTCP }

// dial connects and sends the beginning of a request.
func (p *pipes) dial(t *testing.T, sent string) net.Conn {
	t.Helper()
	here, there := net.Pipe()
	t.Cleanup(func() { _ = here.Close() })
	p.conns <- there
	go func() { _, _ = io.WriteString(here, sent) }()
	return here
}

// inBubble runs a test with a sandbox that listens on pipes, in a synctest bubble.
func inBubble(t *testing.T, o emulator.Options, test func(*testing.T, *pipes)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := newPipes()
		o.Listener, o.FFmpegOptional = p, true
		s, err := emulator.New(t.Context(), o)
		require.NoError(t, err)
		test(t, p)
		require.NoError(t, s.Close())
	})
}

// answer reads a response. The connection must then be closed.
func lastAnswer(t *testing.T, conn net.Conn) (status int, v map[string]any) {
	t.Helper()
	r := bufio.NewReader(conn)
	resp, err := http.ReadResponse(r, nil)
	require.NoError(t, err)
	raw, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, "application/json", resp.Header.Get("Content-Type"), "%s", raw)
	require.NoError(t, json.Unmarshal(raw, &v), "%s", raw)
	_, err = r.ReadByte()
	require.Error(t, err, "the connection is open")
	return resp.StatusCode, v
}

const withSecret = "\r\nHost: localhost\r\nAuthorization: Bearer sk_sandbox_platform"

// Every request with a stalled body ends: with a secret, without one, to an unknown path, to the control API, and under a fault.
func TestStalledBodiesEnd(t *testing.T) {
	t.Parallel()
	for _, begin := range []string{
		"POST /v1/uploads HTTP/1.1" + withSecret,
		"POST /v1/uploads HTTP/1.1\r\nHost: localhost",
		"POST /v1/nothing HTTP/1.1" + withSecret,
		"GET /v1/spaces HTTP/1.1" + withSecret,
		"PUT /storage/nothing HTTP/1.1\r\nHost: localhost",
		"POST /_soundstage/faults HTTP/1.1\r\nHost: localhost",
		"POST /_soundstage/reset HTTP/1.1\r\nHost: localhost",
		"PUT /_soundstage/snapshot HTTP/1.1\r\nHost: localhost",
		"POST /_soundstage/nothing HTTP/1.1\r\nHost: localhost",
	} {
		for _, body := range []string{"\r\nContent-Length: 100\r\n\r\n{", "\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{"} {
			inBubble(t, emulator.Options{}, func(t *testing.T, p *pipes) {
				start := time.Now()
				conn := p.dial(t, begin+body)
				require.NoError(t, conn.SetReadDeadline(start.Add(time.Hour)))
				_, err := io.Copy(io.Discard, conn)
				require.NoError(t, err, "%s%s", begin, body)
				require.LessOrEqual(t, time.Since(start), 62*time.Second, "%s%s", begin, body)
			})
		}
	}
}

// A body of the control API that keeps arriving may take longer than the deadline of a stalled one.
func TestSlowBodyArrives(t *testing.T) {
	t.Parallel()
	inBubble(t, emulator.Options{}, func(t *testing.T, p *pipes) {
		const size = 10 << 20
		conn := p.dial(t, fmt.Sprintf("PUT /_soundstage/snapshot HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\nConnection: close\r\n\r\n", size))
		go func() {
			for range size / (64 << 10) {
				time.Sleep(time.Second) // 160 s in all
				_, _ = conn.Write(make([]byte, 64<<10))
			}
		}()
		status, v := lastAnswer(t, conn)
		require.Equal(t, 400, status, "%v", v) // not 408
	})
}

// A wait for requests may take longer than the deadline of its body.
func TestLongWaitIsNotCut(t *testing.T) {
	t.Parallel()
	inBubble(t, emulator.Options{}, func(t *testing.T, p *pipes) {
		body := `{"match":{"op":"listSpaces"},"timeout_ms":300000}`
		conn := p.dial(t, fmt.Sprintf("POST /_soundstage/requests/wait HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", len(body), body))
		start := time.Now()
		status, v := lastAnswer(t, conn)
		require.Equal(t, 408, status, "%v", v)
		require.Equal(t, 300*time.Second, time.Since(start))
	})
}

// A connection whose client never reads is closed; one whose client reads slowly is not.
func TestClientsThatNeverRead(t *testing.T) {
	t.Parallel()
	const get = "GET /openapi.yaml HTTP/1.1" + withSecret + "\r\nConnection: close\r\n\r\n"
	inBubble(t, emulator.Options{}, func(t *testing.T, p *pipes) {
		conn := p.dial(t, get)
		time.Sleep(61 * time.Second)
		synctest.Wait()
		n, err := io.Copy(io.Discard, conn)
		require.NoError(t, err)
		require.Zero(t, n)

		slow := p.dial(t, get)
		start, read := time.Now(), 0
		for piece := make([]byte, 5<<10); ; time.Sleep(time.Second) {
			n, err := io.ReadFull(slow, piece)
			if read += n; err != nil {
				break
			}
		}
		require.Greater(t, read, 50_000, "the contract is cut off after %v", time.Since(start))
		resp, err := http.ReadResponse(bufio.NewReader(p.dial(t, get)), nil)
		require.NoError(t, err)
		whole, err := io.Copy(io.Discard, resp.Body)
		require.NoError(t, err)
		require.Greater(t, int64(read), whole, "the contract is cut off")
	})
}

// A connection whose client stops reading is closed, however much it has read before.
func TestClientsThatStopReading(t *testing.T) {
	t.Parallel()
	inBubble(t, emulator.Options{}, func(t *testing.T, p *pipes) {
		conn := p.dial(t, "GET /openapi.yaml HTTP/1.1"+withSecret+"\r\nConnection: close\r\n\r\n")
		_, err := io.ReadFull(conn, make([]byte, 80<<10))
		require.NoError(t, err)
		time.Sleep(31 * time.Second)
		n, err := io.Copy(io.Discard, conn)
		require.NoError(t, err)
		require.Zero(t, n)
	})
}

// A stream may pause for hours.
func TestStreamIsNotCut(t *testing.T) {
	t.Parallel()
	inBubble(t, emulator.Options{}, func(t *testing.T, p *pipes) {
		conn := p.dial(t, "GET /_soundstage/webhooks/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err)
		require.Equal(t, 200, resp.StatusCode)
		require.NoError(t, conn.SetReadDeadline(time.Now().Add(10*time.Hour)))
		_, err = resp.Body.Read(make([]byte, 1))
		require.ErrorContains(t, err, "timeout")
	})
}

// A connection that is idle after a request is closed within a minute.
func TestIdleConnectionsEnd(t *testing.T) {
	t.Parallel()
	inBubble(t, emulator.Options{}, func(t *testing.T, p *pipes) {
		conn := p.dial(t, "GET /v1/spaces HTTP/1.1"+withSecret+"\r\n\r\n")
		began := time.Now()
		require.NoError(t, conn.SetReadDeadline(began.Add(time.Hour)))
		_, err := io.Copy(io.Discard, conn)
		require.NoError(t, err)
		require.GreaterOrEqual(t, time.Since(began), 45*time.Second)
		require.LessOrEqual(t, time.Since(began), time.Minute)
	})
}

// Errors of HTTP itself have the error body of the service.
func TestFramingErrors(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{FFmpegOptional: true})
	for sent, want := range map[string]int{
		"nonsense\r\n\r\n":                                                            400,
		"GET / HTTP/1.1\r\n\r\n":                                                      400,
		"GET / HTTP/1.1\r\nHost: a\r\nA b: c\r\n\r\n":                                 400,
		"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n":                     400,
		"POST / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nContent-Length: 0\r\n\r\n":      417,
		"GET / HTTP/1.1\r\nHost: a\r\nA: " + strings.Repeat("b", 20<<10) + "\r\n\r\n": 431,
		"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n":               501,
		"GET / HTTP/3.0\r\nHost: a\r\n\r\n":                                           505,
		"GET /v1/spaces HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\n\r\n":            401,
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL(), "http://"))
		require.NoError(t, err)
		_, err = io.WriteString(conn, sent)
		require.NoError(t, err)
		r := bufio.NewReader(conn)
		if want == 401 { // the second response on a connection is a framing error, too
			resp, err := http.ReadResponse(r, nil)
			require.NoError(t, err)
			require.Equal(t, want, resp.StatusCode)
			_, err = io.Copy(io.Discard, resp.Body)
			require.NoError(t, err)
			want = 400
		}
		resp, err := http.ReadResponse(r, nil)
		require.NoError(t, err, "%.60q", sent)
		require.Equal(t, want, resp.StatusCode, "%.60q", sent)
		require.Equal(t, "application/json", resp.Header.Get("Content-Type"), "%.60q", sent)
		var v map[string]string
		require.NoError(t, json.NewDecoder(resp.Body).Decode(&v), "%.60q", sent)
		require.Len(t, v, 1)
		require.Regexp(t, `^[A-Z].*\.$`, v["error"])
		require.NoError(t, conn.Close())
	}
}

// The request line and the headers may have 16 KiB together, and not one byte more.
func TestHeaderLimit(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{FFmpegOptional: true})
	const begin, end = "GET /v1/spaces HTTP/1.1\r\nHost: 127.0.0.1\r\nA: ", "\r\n\r\n"
	for size, want := range map[int]int{16<<10 - 1: 401, 16 << 10: 401, 16<<10 + 1: 431, 20 << 10: 431} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL(), "http://"))
		require.NoError(t, err)
		_, err = io.WriteString(conn, begin+strings.Repeat("a", size-len(begin)-len(end))+end)
		require.NoError(t, err)
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err)
		require.Equal(t, want, resp.StatusCode, size)
		require.NoError(t, conn.Close())
	}
}

// A connection above the limit gets 503, and the next one is served when a connection has ended.
func TestConnectionLimit(t *testing.T) {
	t.Parallel()
	inBubble(t, emulator.Options{MaxConnections: 3}, func(t *testing.T, p *pipes) {
		get := "GET /v1/spaces HTTP/1.1" + withSecret + "\r\nConnection: close\r\n\r\n"
		var open []net.Conn
		for range 3 {
			open = append(open, p.dial(t, "POST /v1/uploads HTTP/1.1"+withSecret+"\r\nContent-Length: 100\r\n\r\n{"))
		}
		synctest.Wait()
		status, v := lastAnswer(t, p.dial(t, get))
		require.Equal(t, 503, status)
		require.Equal(t, map[string]any{"error": "The server has 3 open connections, the maximum."}, v)
		require.NoError(t, open[0].Close())
		synctest.Wait()
		status, _ = lastAnswer(t, p.dial(t, get))
		require.Equal(t, 200, status)
	})
}

// A secret above its limit of concurrent requests gets 429, while other secrets are served; an address above its limit gets 429. The
// health check is always answered.
func TestConcurrencyLimits(t *testing.T) {
	t.Parallel()
	stalled := "POST /v1/uploads HTTP/1.1" + withSecret + "\r\nContent-Length: 100\r\n\r\n{"
	get := "GET /v1/spaces HTTP/1.1" + withSecret + "\r\nConnection: close\r\n\r\n"
	other := strings.Replace(get, "_platform", "_core", 1)
	health := "GET /_soundstage/health HTTP/1.1" + withSecret + "\r\nConnection: close\r\n\r\n"
	inBubble(t, emulator.Options{MaxRequestsPerKey: 2, MaxRequestsPerAddress: 4}, func(t *testing.T, p *pipes) {
		want := func(sent string, status int, sentence string) {
			t.Helper()
			got, v := lastAnswer(t, p.dial(t, sent))
			require.Equal(t, status, got, "%v", v)
			if sentence != "" {
				require.Equal(t, map[string]any{"error": sentence}, v)
			}
		}
		for range 2 {
			p.dial(t, stalled)
		}
		synctest.Wait()
		want(get, 429, "Too many concurrent requests with this secret: the limit is 2.")
		want(stalled, 429, "Too many concurrent requests with this secret: the limit is 2.") // without waiting for its body
		want(other, 200, "")
		for range 2 {
			p.dial(t, strings.Replace(stalled, "_platform", "_core", 1))
		}
		synctest.Wait()
		want(strings.Replace(get, "_platform", "_automation", 1), 429, "Too many concurrent requests from this address: the limit is 4.")
		want(health, 200, "")
		time.Sleep(70 * time.Second) // the stalled ones have ended
		want(get, 200, "")
		want(other, 200, "")
	})
}
