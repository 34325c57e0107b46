package fetch_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fetch"
	"github.com/soundstage-dev/soundstage/internal/executable"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

func sender(t testing.TB, cfg fetch.Config) *fetch.Sender {
	t.Helper()
	cfg.AllowPrivate = true
	s := fetch.NewSender(cfg)
	t.Cleanup(s.Close)
	return s
}

// A delivery is a POST of the unchanged body, with the webhook's headers and Soundstage's own.
func TestSend(t *testing.T) {
	t.Parallel()
	type delivery struct {
		method, path, body string
		header             http.Header
	}
	seen := make(chan delivery, 1)
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		seen <- delivery{r.Method, r.URL.RequestURI(), string(body), r.Header}
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, "thanks")
	})
	res, err := sender(t, fetch.Config{}).Send(context.Background(), engine.SendRequest{
		URL: server.URL + "/hook?k=1", Body: []byte(`{"type":"x"}`), Header: map[string]string{
			"webhook-id": "msg_1", "Authorization": "Bearer theirs", "content-type": "text/plain", "USER-AGENT": "other", "Host": "evil.test",
			"Content-Length": "1", "Transfer-Encoding": "chunked", "Connection": "upgrade", "Idempotency-Key": "x",
		},
	})
	require.NoError(t, err)
	require.Equal(t, []string{"6"}, res.Header["Content-Length"])
	res.Header = nil
	require.Equal(t, engine.SendResponse{Private: true, Status: 202, Body: []byte("thanks")}, res)
	require.Equal(t, delivery{"POST", "/hook?k=1", `{"type":"x"}`, http.Header{
		"Webhook-Id": {"msg_1"}, "Authorization": {"Bearer theirs"}, "Content-Type": {"application/json"}, "User-Agent": {"Soundstage/1"},
		"Content-Length": {"12"},
	}}, <-seen)
}

// Send returns every status without an error, and doesn't follow redirects.
func TestEveryStatusIsAnAnswer(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		status, _ := strconv.Atoi(r.URL.Path[1:])
		w.Header().Set("Location", "/200")
		w.WriteHeader(status)
	})
	s := sender(t, fetch.Config{})
	statuses := []int{200, 201, 204, 301, 302, 303, 307, 308, 400, 401, 404, 410, 429, 500, 503, 599}
	for _, status := range statuses {
		res, err := s.Send(context.Background(), engine.SendRequest{URL: server.URL + "/" + strconv.Itoa(status)})
		require.NoError(t, err)
		require.Equal(t, status, res.Status)
	}
	require.EqualValues(t, len(statuses), asked.Load())
}

// Send returns the first 2 KiB of a response body, and doesn't wait for more.
func TestAnswerIsCut(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.URL.Path[1:])
		_, _ = io.WriteString(w, strings.Repeat("a", n))
		_ = http.NewResponseController(w).Flush()
		if n > 2048 {
			<-r.Context().Done() // until the client closes the connection
		}
	})
	for n, want := range map[int]int{0: 0, 1: 1, 2048: 2048, 2049: 2048, 100_000: 2048} {
		res, err := sender(t, fetch.Config{}).Send(context.Background(), engine.SendRequest{URL: server.URL + "/" + strconv.Itoa(n), Timeout: time.Minute})
		require.NoError(t, err)
		require.Len(t, res.Body, want)
	}
}

// A response whose body stalls or is cut is still a response.
func TestStalledAnswerIsAnAnswer(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it waits for timeouts")
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "10")
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = io.WriteString(w, "abc")
		_ = http.NewResponseController(w).Flush()
		if r.URL.Path == "/hangup" {
			panic(http.ErrAbortHandler)
		}
		<-r.Context().Done()
	})
	for _, path := range []string{"/hangup", "/stall"} {
		res, err := sender(t, fetch.Config{}).Send(context.Background(), engine.SendRequest{URL: server.URL + path, Timeout: 2 * time.Second})
		require.NoError(t, err)
		res.Header = nil
		require.Equal(t, engine.SendResponse{Private: true, Status: 500, Body: []byte("abc")}, res)
	}
}

// Send parses both forms of Retry-After, up to a day. Past and malformed values are 0.
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Retry-After"] = r.URL.Query()["v"]
		w.WriteHeader(http.StatusTooManyRequests)
	})
	s := sender(t, fetch.Config{Clock: &skipClock{now: now}})
	for value, want := range map[string]time.Duration{
		"": 0, "0": 0, "120": 2 * time.Minute, "86401": 24 * time.Hour, "99999999999999999999": 24 * time.Hour, "-1": 0, "1.5": 0, "soon": 0,
		"Fri,+02+Jan+2026+03:05:05+GMT": time.Minute, "Fri,+02+Jan+2026+03:04:04+GMT": 0, "Friday,+02-Jan-26+03:05:05+GMT": time.Minute,
		"Fri,+01+Jan+2038+03:05:05+GMT": 24 * time.Hour, "+7+": 7 * time.Second,
	} {
		res, err := s.Send(context.Background(), engine.SendRequest{URL: server.URL + "/?v=" + value})
		require.NoError(t, err)
		require.Equal(t, want, res.RetryAfter, value)
	}
}

// Each kind of missing response has its own message, and is retryable.
func TestNoAnswerToADelivery(t *testing.T) {
	t.Parallel()
	hangup := raw(t, func(*net.TCPConn, *http.Request) {})
	reset := raw(t, func(c *net.TCPConn, _ *http.Request) { _ = c.SetLinger(0) })
	noise := raw(t, func(c *net.TCPConn, _ *http.Request) { _, _ = io.WriteString(c, "220 smtp.example.com ESMTP\r\n") })
	hang := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})
	plain := serve(t, func(http.ResponseWriter, *http.Request) {})
	secure, _ := serveTLS(t, func(http.ResponseWriter, *http.Request) {})
	dns := newNameServer()
	dns.addFailing("failing.test")
	s := sender(t, fetch.Config{Resolver: dns.resolver()})
	for _, c := range []struct{ url, sentence string }{
		{"http://127.0.0.1:" + executable.Port(t), "The receiver refused the connection."},
		{hangup.URL, "The receiver closed the connection without a response."},
		{reset.URL, "The receiver closed the connection without a response."},
		{noise.URL, "The receiver could not be reached or sent an invalid response."},
		{hang.URL, "The receiver did not answer within 300ms."},
		{"https" + plain.URL[len("http"):], "The TLS handshake with the receiver failed."},
		{secure.URL, "The receiver's certificate could not be verified."},
		{"http://missing.test/", "The URL's host was not found."},
		{"http://failing.test/", "The URL's host could not be resolved."},
	} {
		timeout := 20 * time.Second
		if c.url == hang.URL {
			timeout = 300 * time.Millisecond
		}
		res, err := s.Send(context.Background(), engine.SendRequest{URL: c.url, Body: []byte("{}"), Timeout: timeout})
		requireError(t, err, engine.CodeUnavailable, true, c.sentence)
		require.Equal(t, c.sentence, engine.Message(err))
		require.Zero(t, res)
	}
}

// Send and Check refuse every special address, as a literal and as a name, with the specified message.
func TestDeliveriesAreGuarded(t *testing.T) {
	t.Parallel()
	trap := newCanary(t, "127.0.0.1:0")
	dns := newNameServer()
	s := fetch.NewSender(fetch.Config{AllowPorts: []uint16{trap.port()}, Resolver: dns.resolver()})
	for i, address := range specialAddresses() {
		name := "n" + strconv.Itoa(i) + ".test"
		dns.add(name, []netip.Addr{netip.MustParseAddr(address)})
		hosts := []string{address}
		if hasIPv6(t) || netip.MustParseAddr(address).Unmap().Is4() {
			hosts = append(hosts, name)
		}
		for _, host := range hosts {
			_, err := s.Send(context.Background(), engine.SendRequest{URL: literalURL(host, trap.port())})
			requireError(t, err, engine.CodeNotPublic, false, notPublic)
			requireError(t, s.Check(context.Background(), literalURL(host, trap.port())), engine.CodeNotPublic, false, notPublic)
		}
	}
	trap.requireSilent(t)
}

// After a reused connection closes, the guard checks the name's new address.
func TestKeptConnectionsAreGuarded(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/last" {
			w.Header().Set("Connection", "close")
		}
	})
	port := portOf(t, server.URL)
	dns := newNameServer()
	dns.add("flip.test", []netip.Addr{netip.MustParseAddr("127.0.0.1")}, []netip.Addr{netip.MustParseAddr("127.0.0.2")})
	s := fetch.NewSender(fetch.Config{AllowPrefixes: []netip.Prefix{loopback4()}, AllowPorts: []uint16{port}, Resolver: dns.resolver()})
	defer s.Close()
	for _, path := range []string{"/first", "/last"} {
		_, err := s.Send(context.Background(), engine.SendRequest{URL: "http://flip.test:" + strconv.Itoa(int(port)) + path})
		require.NoError(t, err)
	}
	_, err := s.Send(context.Background(), engine.SendRequest{URL: "http://flip.test:" + strconv.Itoa(int(port)) + "/"})
	requireError(t, err, engine.CodeNotPublic, false, notPublic)
}

// A delivery succeeds even if the receiver closed the idle connection.
func TestClosedKeptConnection(t *testing.T) {
	t.Parallel()
	var deliveries atomic.Int32
	server := raw(t, func(c *net.TCPConn, _ *http.Request) {
		deliveries.Add(1)
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") // then closes the connection without notice
	})
	s := sender(t, fetch.Config{})
	for range 20 {
		res, err := s.Send(context.Background(), engine.SendRequest{URL: server.URL, Body: []byte("{}")})
		require.NoError(t, err)
		require.Equal(t, 200, res.Status)
	}
	require.GreaterOrEqual(t, deliveries.Load(), int32(20))
}

// A canceled delivery is CodeCanceled, not a failure of the receiver.
func TestCanceledDelivery(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	server := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		cancel()
		<-r.Context().Done()
	})
	_, err := sender(t, fetch.Config{}).Send(ctx, engine.SendRequest{URL: server.URL, Body: []byte("{}")})
	requireError(t, err, engine.CodeCanceled, false, "canceled")
}

// An invalid URL or header is an error before any request.
func TestUnusableDelivery(t *testing.T) {
	t.Parallel()
	trap := newCanary(t, "127.0.0.1:0")
	s := sender(t, fetch.Config{})
	for _, url := range []string{"", "ftp://example.com/", "http://user:pass@example.com/"} {
		_, err := s.Send(context.Background(), engine.SendRequest{URL: url})
		requireError(t, err, engine.CodeInvalid, false, "url ")
	}
	for name, value := range map[string]string{"X-A": "a\r\nX-B: c", "X A": "a", "": "a", "X-Ä": "a", "X:": "a", "X-Long": strings.Repeat("a", 9000)} {
		_, err := s.Send(context.Background(), engine.SendRequest{URL: "http://" + trap.Addr().String(), Header: map[string]string{name: value}})
		requireError(t, err, engine.CodeInvalid, false, "has an invalid name or value")
	}
	trap.requireSilent(t)
}

// BenchmarkSend measures deliveries to a local receiver. The target is 1,000 per second.
func BenchmarkSend(b *testing.B) {
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }))
	defer receiver.Close()
	s := sender(b, fetch.Config{})
	body := []byte(`{"type":"transcript.completed","timestamp":"2026-01-02T03:04:05Z","data":{"recording_id":"r"}}`)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			res, err := s.Send(context.Background(), engine.SendRequest{URL: receiver.URL, Body: body, Timeout: time.Minute})
			if err != nil || res.Status != http.StatusOK {
				b.Errorf("%v %v", res, err)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "deliveries/s")
}
