package control_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/control"
)

// sandbox is a running server with streams and requests.
type sandbox struct {
	*testing.T
	*emulator.Server
	message *openapi3.Schema // of a stream
}

func newSandbox(t *testing.T, o emulator.Options) *sandbox {
	t.Helper()
	s, err := emulator.New(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return &sandbox{t, s, parse(t).Doc.Components.Schemas["StreamMessage"].Value}
}

// call sends a request with the platform secret of the default world, and requires a status.
func (s *sandbox) call(want int, method, path, body string) map[string]any {
	s.Helper()
	req, err := http.NewRequestWithContext(s.Context(), method, s.URL()+path, strings.NewReader(body))
	require.NoError(s, err)
	req.Header.Set("Authorization", "Bearer sk_sandbox_platform")
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(s, err)
	defer func() { _ = resp.Body.Close() }()
	var v map[string]any
	_ = json.NewDecoder(resp.Body).Decode(&v)
	require.Equal(s, want, resp.StatusCode, "%s %s: %v", method, path, v)
	return v
}

// stream is an open stream.
type stream struct {
	s     *sandbox
	lines *bufio.Reader
	close context.CancelFunc
	last  string // id of the last message
}

// stream opens a stream, and reads its hello.
func (s *sandbox) stream(query string, header ...string) *stream {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), time.Minute)
	req, err := http.NewRequestWithContext(ctx, "GET", s.URL()+"/_soundstage/events"+query, nil)
	require.NoError(s, err)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(s, err)
	s.Cleanup(func() { cancel(); _ = resp.Body.Close() })
	require.Equal(s, 200, resp.StatusCode)
	require.Equal(s, "text/event-stream", resp.Header.Get("Content-Type"))
	require.Equal(s, "no-store", resp.Header.Get("Cache-Control"))
	st := &stream{s: s, lines: bufio.NewReader(resp.Body), close: cancel}
	hello := st.next("hello")
	require.Equal(s, st.last, hello["cursor"])
	return st
}

// read returns the next message, which must be as documented.
func (st *stream) read() (event string, data map[string]any) {
	st.s.Helper()
	m, err := readMessage(st.lines)
	require.NoError(st.s, err)
	require.NoError(st.s, st.s.message.VisitJSON(m, openapi3.EnableJSONSchema2020()), "%v", m)
	st.last = m["id"].(string)
	return m["event"].(string), m["data"].(map[string]any)
}

// next reads messages until one has the type, and all given members.
func (st *stream) next(event string, members ...string) map[string]any {
	st.s.Helper()
	for {
		got, data := st.read()
		fits := got == event
		for i := 0; i < len(members); i += 2 {
			fits = fits && data[members[i]] == members[i+1]
		}
		if fits {
			return data
		}
	}
}

// A stream says hello, and then tells of everything that happens in its world, as documented, and of nothing in another world.
func TestStream(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, emulator.Options{Clock: emulator.ClockManual})
	s.call(201, "POST", "/_soundstage/worlds", `{"name":"other"}`)
	st, other := s.stream(""), s.stream("?world=other")

	s.call(201, "POST", "/_soundstage/faults", `{"match":{"op":"listSpaces"},"do":{"status":418}}`)
	require.Equal(t, "listSpaces", st.next("fault", "change", "added")["match"].(map[string]any)["op"])
	s.call(418, "GET", "/v1/spaces?api_key=k", "")
	st.next("fault", "change", "fired", "id", "fault-1")
	st.next("fault", "change", "spent", "id", "fault-1")
	request := st.next("request", "op", "listSpaces")
	require.Equal(t, "fault-1", request["fault"])
	require.Equal(t, "sk_sandbox_***", request["secret"])
	require.Equal(t, "api_key=***", request["query"])
	require.EqualValues(t, 418, request["status"])

	s.call(200, "POST", "/_soundstage/webhooks/sink", `{"status":[503,200]}`)
	s.call(200, "POST", "/_soundstage/webhooks/trigger", `{"event":"transcript.completed"}`)
	queued := st.next("job", "kind", "webhook.deliver", "status", "queued")
	st.next("job", "id", queued["id"].(string), "status", "running")
	st.next("delivery", "id", queued["resource"].(string), "status", "sending")
	failed := st.next("delivery", "id", queued["resource"].(string), "status", "failed")
	require.EqualValues(t, 503, failed["response_status"])
	retrying := st.next("job", "id", queued["id"].(string), "status", "retrying")
	require.Equal(t, true, retrying["held"])
	again := st.next("delivery", "id", queued["resource"].(string))
	require.Equal(t, retrying["next_at"], again["next_at"])
	require.NotNil(t, again["next_at"])

	s.call(202, "POST", "/v1/imports", `{"url":"https://www.youtube.com/watch?v=x"}`)
	st.next("event", "type", "import.changed")
	s.call(200, "PUT", "/_soundstage/clock", `{"now":"2026-05-01T00:00:00Z"}`)
	require.Equal(t, "2026-05-01T00:00:00Z", st.next("clock")["now"])

	s.call(200, "DELETE", "/_soundstage/worlds/other", "")
	st.next("world", "change", "deleted", "world", "other")
	for {
		m, err := readMessage(other.lines)
		if err != nil {
			break // the world was deleted
		}
		require.Equal(t, "world", m["event"], "%v", m)
	}
}

// A stream with types gets no others, hello apart.
func TestStreamTypes(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, emulator.Options{})
	st := s.stream("?types=clock,fault")
	s.call(200, "GET", "/v1/spaces", "")
	s.call(200, "PUT", "/_soundstage/clock", `{"mode":"manual"}`)
	event, _ := st.read()
	require.Equal(t, "clock", event)
}

// A client that resumes after a message gets what followed, once each, whatever it calls the cursor.
func TestStreamResumes(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, emulator.Options{})
	st := s.stream("?types=request")
	for range 3 {
		s.call(200, "GET", "/v1/spaces", "")
	}
	require.EqualValues(t, 1, st.next("request")["number"])
	seen := st.last
	st.close()
	s.call(200, "GET", "/v1/spaces", "")
	header := s.stream("?types=request&after=aaaaaaaa-1", "Last-Event-ID", seen)
	for _, again := range []*stream{s.stream("?types=request&after=" + seen), header} {
		for want := 2; want <= 4; want++ {
			event, data := again.read()
			require.Equal(t, "request", event)
			require.EqualValues(t, want, data["number"])
		}
	}
	foreign := s.stream("?types=request&after=aaaaaaaa-1")
	event, lost := foreign.read()
	require.Equal(t, "lost", event)
	require.Equal(t, "aaaaaaaa-1", lost["from"])
	require.Equal(t, foreign.last, lost["to"])
	require.EqualValues(t, 1, foreign.next("request")["number"], "what the server still has follows")
}

// Wrong parameters get 400 with what is wrong, before a stream begins.
func TestStreamRefuses(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, emulator.Options{})
	for query, want := range map[string]string{
		"?types=requests":                     `There is no type "requests" of messages.`,
		"?types=job,":                         `There is no type "" of messages.`,
		"?after=12":                           `"12" is not a cursor of this stream.`,
		"?after=aaaaaaaa-1&after=b":           "The parameter after is given more than once.",
		"?since=1":                            `Unknown parameter "since".`,
		"?after=%zz":                          "The query string is malformed.",
		"?after=" + strings.Repeat("a", 5000): `"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" is not a cursor of this stream.`,
	} {
		require.Equal(t, want, s.call(400, "GET", "/_soundstage/events"+query, "")["error"], query)
	}
	s.call(404, "GET", "/_soundstage/events?world=none", "")
	req, err := http.NewRequestWithContext(t.Context(), "HEAD", s.URL()+"/_soundstage/events", nil)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, 200, resp.StatusCode)
}

// A stream outlives a reset and a restored snapshot of its world, says so, and tells of the new world only.
func TestStreamOutlivesReset(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, emulator.Options{Clock: emulator.ClockManual})
	st := s.stream("")
	s.call(202, "POST", "/v1/imports", `{"url":"https://www.youtube.com/watch?v=x"}`)
	st.next("event", "type", "import.changed")
	s.call(201, "POST", "/_soundstage/snapshots", `{"name":"a"}`)
	s.call(200, "POST", "/_soundstage/reset", "")
	st.next("world", "change", "reset", "world", "default")
	st.next("clock")
	s.call(202, "POST", "/v1/imports", `{"url":"https://www.youtube.com/watch?v=y"}`)
	st.next("event", "type", "import.changed") // before or after its request
	s.call(200, "GET", "/v1/spaces", "")
	require.EqualValues(t, 2, st.next("request", "op", "listSpaces")["number"], "the log began again")
	s.call(200, "POST", "/_soundstage/snapshots/a/restore", "")
	st.next("world", "change", "restored")
	s.call(200, "GET", "/v1/spaces", "")
	st.next("request", "op", "listSpaces")
	s.call(201, "POST", "/_soundstage/worlds", `{"name":"b"}`)
	st.next("world", "change", "created", "world", "b")
}

// Clients that don't read never delay others: requests go on at once, and a reader that comes back learns what it missed.
func TestStreamSlowReader(t *testing.T) { // alone: a reader is given up after 30 seconds
	s := newSandbox(t, emulator.Options{})
	var slow []net.Conn
	for range 3 {
		c, err := net.Dial("tcp", strings.TrimPrefix(s.URL(), "http://"))
		require.NoError(t, err)
		defer func() { _ = c.Close() }()
		require.NoError(t, c.(*net.TCPConn).SetReadBuffer(64<<10))
		_, err = c.Write([]byte("GET /_soundstage/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"))
		require.NoError(t, err)
		slow = append(slow, c)
	}
	fast := s.stream("?types=clock")
	padding := strings.Repeat("x", 12000)
	for range 800 { // 10 MB: more than the ring and the buffers of the connections
		s.call(404, "GET", "/v1/"+padding, "")
	}
	s.call(200, "PUT", "/_soundstage/clock", `{"mode":"manual"}`)
	fast.next("clock")
	require.NoError(t, slow[0].SetReadDeadline(time.Now().Add(20*time.Second)))
	resp, err := http.ReadResponse(bufio.NewReader(slow[0]), nil)
	require.NoError(t, err)
	defer func() {
		_ = slow[0].Close() // closing the body would read the rest
		_ = resp.Body.Close()
	}()
	lines := bufio.NewReader(resp.Body)
	for lost := false; ; {
		m, err := readMessage(lines)
		require.NoError(t, err)
		if m["event"] == "lost" {
			lost = true
		}
		if m["event"] == "clock" {
			require.True(t, lost)
			return
		}
	}
}

// Streams end when the server stops, at once.
func TestStreamEndsWithServer(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, emulator.Options{})
	st := s.stream("")
	began := time.Now()
	require.NoError(t, s.Close())
	require.Less(t, time.Since(began), 5*time.Second)
	_, err := readMessage(st.lines)
	require.Error(t, err)
}

// With a token, only streams with the token are served.
func TestStreamWithToken(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, emulator.Options{ControlToken: "t0ken"})
	s.call(401, "GET", "/_soundstage/events", "")
	s.stream("", "X-Soundstage-Token", "t0ken")
	req, err := http.NewRequestWithContext(t.Context(), "GET", s.URL()+"/_soundstage/events", nil)
	require.NoError(t, err)
	req.Header.Set("Origin", "https://evil.example")
	open := newSandbox(t, emulator.Options{})
	req.URL.Host = strings.TrimPrefix(open.URL(), "http://")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, 403, resp.StatusCode)
}

// A quiet stream shows that it is alive, and moves the client's cursor past what it didn't want.
func TestStreamHeartbeat(t *testing.T) {
	defer control.SetHeartbeat(20 * time.Millisecond)()
	s := newSandbox(t, emulator.Options{})
	st := s.stream("?types=fault")
	s.call(200, "GET", "/v1/spaces", "")
	want := "id: " + st.last[:9] + "1\n"
	for alive := 0; alive < 3 || want != ""; {
		line, err := st.lines.ReadString('\n')
		require.NoError(t, err)
		switch line {
		case ": alive\n":
			alive++
		case want:
			want = ""
		}
	}
}
