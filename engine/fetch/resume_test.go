package fetch_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fetch"
)

// flaky serves a file with ranges. It closes the connection of the n-th response after cuts[n] bytes; later responses are
// complete.
type flaky struct {
	file   []byte
	cuts   []int
	header http.Header                             // of each response, besides the range headers
	answer func(w http.ResponseWriter, n int) bool // may answer the n-th request, from 0, and return true; may be nil

	mu     sync.Mutex
	ranges []string // of each request
	tags   []string // If-Range of each request
}

func (f *flaky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	n := len(f.ranges)
	f.ranges, f.tags = append(f.ranges, r.Header.Get("Range")), append(f.tags, r.Header.Get("If-Range"))
	f.mu.Unlock()
	for name, values := range f.header {
		w.Header()[name] = values
	}
	if f.answer != nil && f.answer(w, n) {
		return
	}
	from := 0
	if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); err == nil {
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(f.file)-1, len(f.file)))
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(f.file)-from))
	if from > 0 {
		w.WriteHeader(http.StatusPartialContent)
	}
	rest := f.file[from:]
	if n < len(f.cuts) {
		_, _ = w.Write(rest[:f.cuts[n]])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	_, _ = w.Write(rest)
}

func tagged() http.Header { return http.Header{"Etag": {`"v1"`}} }

// serveFlaky downloads f's file, and checks that the written bytes are a prefix of it.
func serveFlaky(t *testing.T, f *flaky, cfg fetch.Config) (got []byte, clock *skipClock, err error) {
	t.Helper()
	if f.file == nil {
		f.file = media()
	}
	server := serve(t, f.ServeHTTP)
	clock = &skipClock{}
	cfg.Clock = clock
	got, info, err := get(private(cfg), server.URL+"/a.mp3")
	require.True(t, bytes.HasPrefix(f.file, got), "the written bytes are not a prefix of the file")
	if err == nil {
		require.Equal(t, f.file, got)
		require.EqualValues(t, len(f.file), info.Size)
	}
	return got, clock, err
}

// A broken download resumes at the next byte, with the file's ETag, after growing pauses.
func TestResume(t *testing.T) {
	t.Parallel()
	f := &flaky{cuts: []int{5000, 1, 7000}, header: tagged()}
	_, clock, err := serveFlaky(t, f, fetch.Config{})
	require.NoError(t, err)
	require.Equal(t, []string{"", "bytes=5000-", "bytes=5001-", "bytes=12001-"}, f.ranges)
	require.Equal(t, []string{"", `"v1"`, `"v1"`, `"v1"`}, f.tags)
	require.Equal(t, []time.Duration{200 * time.Millisecond, 400 * time.Millisecond, 800 * time.Millisecond}, clock.pauses)
}

// A strong Last-Modified date replaces a missing ETag. A download is not resumed with a weak ETag, a date as young as the
// response, a server without ranges, or a file of unknown length.
func TestWhatIsResumed(t *testing.T) {
	t.Parallel()
	const old, now = "Mon, 02 Jan 2006 15:04:05 GMT", "Tue, 03 Jan 2006 15:04:05 GMT"
	for _, c := range []struct {
		header  http.Header
		resumed string // its If-Range; "" if it isn't resumed
	}{
		{http.Header{"Etag": {`"v1"`}}, `"v1"`},
		{http.Header{"Etag": {`"v1"`}, "Accept-Ranges": {"bytes"}, "Last-Modified": {old}, "Date": {now}}, `"v1"`},
		{http.Header{"Last-Modified": {old}, "Date": {now}}, old},
		{http.Header{"Etag": {`W/"v1"`}, "Last-Modified": {old}, "Date": {now}}, old},
		{http.Header{"Etag": {`W/"v1"`}}, ""},
		{http.Header{"Last-Modified": {now}, "Date": {now}}, ""},
		{http.Header{"Last-Modified": {"yesterday"}, "Date": {now}}, ""},
		{http.Header{"Etag": {`"v1"`}, "Accept-Ranges": {"none"}}, ""},
		{http.Header{"Accept-Ranges": {"bytes"}}, ""},
	} {
		f := &flaky{cuts: []int{5000}, header: c.header}
		_, _, err := serveFlaky(t, f, fetch.Config{})
		if c.resumed == "" {
			requireError(t, err, engine.CodeDownload, true, "ended after 5000 of 20010 bytes")
			require.Len(t, f.ranges, 1)
		} else {
			require.NoError(t, err)
			require.Equal(t, []string{"", c.resumed}, f.tags)
		}
	}
	f := &flaky{header: tagged(), answer: func(w http.ResponseWriter, _ int) bool {
		_, _ = w.Write(make([]byte, 5000))
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}, file: make([]byte, 10_000)}
	_, _, err := serveFlaky(t, f, fetch.Config{})
	requireError(t, err, engine.CodeDownload, true, "early, after 5000 bytes")
	require.Len(t, f.ranges, 1)
}

// A download is resumed five times, or half as often if no byte arrives between two breaks.
func TestResumesAreCounted(t *testing.T) {
	t.Parallel()
	f := &flaky{cuts: []int{10, 10, 10, 10, 10, 10, 10}, header: tagged()}
	got, _, err := serveFlaky(t, f, fetch.Config{})
	requireError(t, err, engine.CodeDownload, true, "ended after 60 of 20010 bytes")
	require.Len(t, got, 60)
	require.Len(t, f.ranges, 6)

	f = &flaky{cuts: []int{10, 0, 0, 0, 0}, header: tagged()}
	_, _, err = serveFlaky(t, f, fetch.Config{})
	requireError(t, err, engine.CodeDownload, true, "ended after 10 of 20010 bytes")
	require.Len(t, f.ranges, 4)
}

// A stalled body is resumed like a broken one.
func TestResumeAfterStall(t *testing.T) {
	t.Parallel()
	f := &flaky{file: media(), header: tagged()}
	stalled := false
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if stalled {
			f.ServeHTTP(w, r)
			return
		}
		stalled = true
		w.Header().Set("ETag", `"v1"`)
		w.Header().Set("Content-Length", strconv.Itoa(len(f.file)))
		_, _ = w.Write(f.file[:9000])
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	got, _, err := get(private(fetch.Config{IdleTimeout: 100 * time.Millisecond, Clock: &skipClock{}}), server.URL)
	require.NoError(t, err)
	require.Equal(t, f.file, got)
	require.Equal(t, []string{"bytes=9000-"}, f.ranges)
}

// A file that changed between two attempts is a retryable error and never a mixture. The server may send the whole file,
// another ETag, another length, or status 416.
func TestChangedFileIsNotMixed(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(w http.ResponseWriter){
		"whole": func(w http.ResponseWriter) { _, _ = w.Write([]byte("another file")) },
		"tag": func(w http.ResponseWriter) {
			w.Header().Set("ETag", `"v2"`)
			w.Header().Set("Content-Range", "bytes 5000-20009/20010")
			w.WriteHeader(http.StatusPartialContent)
		},
		"length": func(w http.ResponseWriter) {
			w.Header().Set("Content-Range", "bytes 5000-20010/20011")
			w.WriteHeader(http.StatusPartialContent)
		},
		"gone": func(w http.ResponseWriter) { w.WriteHeader(http.StatusRequestedRangeNotSatisfiable) },
	} {
		f := &flaky{cuts: []int{5000}, header: tagged(), answer: func(w http.ResponseWriter, n int) bool {
			if n == 1 {
				answer(w)
			}
			return n == 1
		}}
		got, _, err := serveFlaky(t, f, fetch.Config{})
		requireError(t, err, engine.CodeDownload, true, "changed on the server")
		require.Len(t, got, 5000, name)
		require.Len(t, f.ranges, 2)
	}
}

// A part that differs from the requested one is refused before a byte of it is written.
func TestWrongPartIsRefused(t *testing.T) {
	t.Parallel()
	for _, contentRange := range []string{
		"", "bytes 0-20009/20010", "bytes 5001-20009/20010", "bytes 4999-20009/20010", "bytes 5000-20010/20010", "bytes 5000-4999/20010",
		"bytes 5000-20009/*", "bytes */20010", "bytes -5000-20009/20010", "items 5000-20009/20010", "bytes 5000-99999999999999999999/20010",
	} {
		f := &flaky{cuts: []int{5000}, header: tagged(), answer: func(w http.ResponseWriter, n int) bool {
			if n == 1 {
				w.Header().Set("Content-Range", contentRange)
				w.WriteHeader(http.StatusPartialContent)
				_, _ = w.Write(bytes.Repeat([]byte{0xff}, 15_010))
			}
			return n == 1
		}}
		got, _, err := serveFlaky(t, f, fetch.Config{})
		requireError(t, err, engine.CodeDownload, true, "a different part of the file")
		require.Len(t, got, 5000, contentRange)
	}
}

// A part whose length differs from the announced one is an error or is resumed, and never a wrong file.
func TestServerLiesAboutItsLength(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		length, sent int
		message      string
	}{
		{0, 15_011, "more than the 20010 bytes that it announced"}, // in chunks
		{15_009, 15_009, "a different part of the file"},
		{15_011, 15_011, "a different part of the file"},
	} {
		f := &flaky{cuts: []int{5000}, header: tagged(), answer: func(w http.ResponseWriter, n int) bool {
			if n != 1 {
				return false
			}
			w.Header().Set("Content-Range", "bytes 5000-20009/20010")
			if c.length > 0 {
				w.Header().Set("Content-Length", strconv.Itoa(c.length))
			}
			w.WriteHeader(http.StatusPartialContent)
			_ = http.NewResponseController(w).Flush()
			_, _ = w.Write(bytes.Repeat(media(), 2)[5000:][:c.sent])
			return true
		}}
		_, _, err := serveFlaky(t, f, fetch.Config{})
		requireError(t, err, engine.CodeDownload, true, c.message)
	}
	short := &flaky{cuts: []int{5000}, header: tagged(), answer: func(w http.ResponseWriter, n int) bool {
		if n == 1 {
			w.Header().Set("Content-Range", "bytes 5000-20009/20010")
			w.WriteHeader(http.StatusPartialContent)
			_ = http.NewResponseController(w).Flush()
			_, _ = w.Write(media()[5000:6000]) // a complete message by its framing
		}
		return n == 1
	}}
	_, _, err := serveFlaky(t, short, fetch.Config{})
	require.NoError(t, err)
	require.Equal(t, []string{"", "bytes=5000-", "bytes=6000-"}, short.ranges)
}

// A temporary status during a resume leads to another attempt. Another status ends the download with a retryable error.
func TestStatusesOfAResume(t *testing.T) {
	t.Parallel()
	for status, tries := range map[int]int{500: 3, 503: 3, 429: 3, 404: 2, 403: 2, 410: 2} {
		f := &flaky{cuts: []int{5000}, header: tagged(), answer: func(w http.ResponseWriter, n int) bool {
			if n == 1 {
				w.WriteHeader(status)
			}
			return n == 1
		}}
		_, _, err := serveFlaky(t, f, fetch.Config{})
		require.Len(t, f.ranges, tries)
		if tries == 3 {
			require.NoError(t, err)
		} else {
			requireError(t, err, engine.CodeDownload, true, "status "+strconv.Itoa(status))
		}
	}
}

// When the server stops listening, Fetch tries to resume until no attempts are left.
func TestResumeOfAServerThatIsGone(t *testing.T) {
	t.Parallel()
	var server *httptest.Server
	f := &flaky{file: media(), header: tagged()}
	server = serve(t, func(w http.ResponseWriter, r *http.Request) {
		_ = server.Listener.Close()
		f.cuts = []int{5000}
		f.ServeHTTP(w, r)
	})
	clock := &skipClock{}
	got, _, err := get(private(fetch.Config{Clock: clock}), server.URL)
	requireError(t, err, engine.CodeDownload, true, "refused the connection")
	require.Len(t, got, 5000)
	require.Len(t, clock.pauses, 3)
}

// The size limit applies to all attempts together.
func TestLimitsOverResumes(t *testing.T) {
	t.Parallel()
	f := &flaky{file: media(), cuts: []int{9000, 9000}, header: tagged()}
	server := serve(t, f.ServeHTTP)
	var got bytes.Buffer
	client := private(fetch.Config{Clock: &skipClock{}})
	for _, size := range []int64{20_009, 1} {
		_, err := client.Fetch(context.Background(), engine.FetchRequest{URL: server.URL, MaxSize: size}, &got)
		requireError(t, err, engine.CodeTooLarge, false, fmt.Sprintf("larger than %d bytes", size))
		require.Zero(t, got.Len())
	}
	f.ranges = nil
	_, err := client.Fetch(context.Background(), engine.FetchRequest{URL: server.URL, MaxSize: 20_010}, &got)
	require.NoError(t, err)
	require.Equal(t, f.file, got.Bytes())

	_, _, err = get(private(fetch.Config{MaxBytes: 20_009}), server.URL)
	requireError(t, err, engine.CodeTooLarge, false, "larger than 20009 bytes")
}

// Progress starts at 0, never falls, not even after a break, and ends at the size. The total is -1 if unknown.
func TestProgress(t *testing.T) {
	t.Parallel()
	f := &flaky{file: bytes.Repeat(media(), 20), cuts: []int{90_000, 0, 100_000}, header: tagged()}
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/unknown") {
			_ = http.NewResponseController(w).Flush()
			_, _ = w.Write(media())
			return
		}
		f.ServeHTTP(w, r)
	})
	for path, want := range map[string][2]int64{"/known": {400_200, 400_200}, "/unknown": {20_010, -1}} {
		var done []int64
		_, err := private(fetch.Config{Clock: &skipClock{}}).Fetch(context.Background(), engine.FetchRequest{
			URL: server.URL + path, Progress: func(n, total int64) {
				require.Equal(t, want[1], total)
				done = append(done, n)
			},
		}, &bytes.Buffer{})
		require.NoError(t, err)
		require.Zero(t, done[0])
		require.IsNonDecreasing(t, done)
		require.Equal(t, want[0], done[len(done)-1])
	}
}

// Cancellation during a pause ends the download immediately.
func TestCancelDuringAPause(t *testing.T) {
	t.Parallel()
	f := &flaky{file: media(), cuts: []int{5000}, header: tagged()}
	server := serve(t, f.ServeHTTP)
	ctx, cancel := context.WithCancel(context.Background())
	client := private(fetch.Config{Clock: &cancelClock{cancel: cancel}})
	_, err := client.Fetch(ctx, engine.FetchRequest{URL: server.URL}, &bytes.Buffer{})
	requireError(t, err, engine.CodeCanceled, false, "canceled")
	require.Len(t, f.ranges, 1)
}

// cancelClock is a frozen clock that cancels a context when a timer is created.
type cancelClock struct {
	skipClock
	cancel context.CancelFunc
}

func (c *cancelClock) NewTimer(time.Duration) engine.Timer {
	c.cancel()
	return overTimer(nil)
}
