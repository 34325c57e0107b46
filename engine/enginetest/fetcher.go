package enginetest

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// fetchers returns a Fetcher; private allows it to reach non-public addresses.
type fetchers func(private bool) engine.Fetcher

// TestFetcher checks an implementation of engine.Fetcher. Each subtest calls open. With private, the Fetcher must be able to
// reach any port of this machine; otherwise it must be configured for untrusted URLs. Let it wait on a clock that skips
// pauses, or retries make the suite slow.
func TestFetcher(t *testing.T, open func(t *testing.T, private bool) engine.Fetcher) {
	t.Helper()
	runClaims(t, func(t *testing.T) fetchers { return func(private bool) engine.Fetcher { return open(t, private) } }, []claim[fetchers]{
		{"bytes arrive unchanged with and without Content-Length", fetchesBytes},
		{"a download returns its final URL, type, filename, and size", fetchesInfo},
		{"requested headers reach the server", fetchesWithHeaders},
		{"a file of exactly MaxSize succeeds and a larger one writes no byte beyond it", fetchesUpToLimit},
		{"progress reaches the size and never decreases", fetchingProgresses},
		{"a 4xx status is permanent, and 429, 5xx, and network errors are retryable", classifiesErrors},
		{"a web page is not media, whatever its name or type", rejectsWebPages},
		{"an interrupted download is resumed if the server supports it", resumesDownload},
		{"a download that can't be resumed fails after writing a prefix of the file", failsWithoutResume},
		{"a writer's error ends the download and is returned", returnsWriterError},
		{"Check and Fetch reject an invalid URL", fetchRejectsInvalidURLs},
		{"Check and Fetch reject a non-public address", fetchRejectsNonPublic},
		{"a download ends when its context ends, before or during it", fetchEndsWithContext},
		{"a fetcher supports concurrent calls", fetchesConcurrently},
	})
}

// fetch downloads a file into memory.
func fetch(t *testing.T, f engine.Fetcher, req engine.FetchRequest) (string, engine.FetchInfo, error) {
	t.Helper()
	var b strings.Builder
	info, err := f.Fetch(t.Context(), req, &b)
	return b.String(), info, err
}

func fetchesBytes(t *testing.T, open fetchers) {
	s, f := newFileServer(t), open(true)
	for _, path := range []string{"/talks/a.mp3", "/stream", "/moved"} {
		require.NoError(t, f.Check(t.Context(), s.URL+path))
		got, info, err := fetch(t, f, engine.FetchRequest{URL: s.URL + path})
		require.NoError(t, err)
		require.True(t, got == servedFile(), "%d bytes from %s", len(got), path)
		require.EqualValues(t, len(servedFile()), info.Size)
	}
}

func fetchesInfo(t *testing.T, open fetchers) {
	s, f := newFileServer(t), open(true)
	for path, want := range map[string]engine.FetchInfo{
		"/talks/my%20talk.mp3?t=1": {URL: "/talks/my%20talk.mp3?t=1", ContentType: "audio/mpeg", Filename: "my talk.mp3", Size: int64(len(servedFile()))},
		"/moved":                   {URL: "/talks/moved%20here.mp3", ContentType: "audio/mpeg", Filename: "moved here.mp3", Size: int64(len(servedFile()))},
		"/named":                   {URL: "/named", ContentType: "video/mp4", Filename: "a talk.mp4", Size: 12},
	} {
		_, info, err := fetch(t, f, engine.FetchRequest{URL: s.URL + path})
		require.NoError(t, err)
		want.URL = s.URL + want.URL
		require.Equal(t, want, info)
	}
}

func fetchesWithHeaders(t *testing.T, open fetchers) {
	s := newFileServer(t)
	_, _, err := fetch(t, open(true), engine.FetchRequest{URL: s.URL + "/stream", Header: map[string]string{"Referer": "https://example.org/show", "Cookie": "a=b"}})
	require.NoError(t, err)
	require.Len(t, s.requests(), 1)
	require.Equal(t, "https://example.org/show", s.requests()[0].Get("Referer"))
	require.Equal(t, "a=b", s.requests()[0].Get("Cookie"))
}

func fetchesUpToLimit(t *testing.T, open fetchers) {
	s, f, size := newFileServer(t), open(true), int64(len(servedFile()))
	for _, path := range []string{"/talks/a.mp3", "/stream"} {
		got, _, err := fetch(t, f, engine.FetchRequest{URL: s.URL + path, MaxSize: size})
		require.NoError(t, err)
		require.EqualValues(t, size, len(got))
		for _, limit := range []int64{1, size / 2, size - 1} {
			got, _, err = fetch(t, f, engine.FetchRequest{URL: s.URL + path, MaxSize: limit})
			requireCode(t, engine.CodeTooLarge, err)
			require.LessOrEqual(t, int64(len(got)), limit)
			require.True(t, strings.HasPrefix(servedFile(), got))
		}
	}
}

func fetchingProgresses(t *testing.T, open fetchers) {
	s, f, size := newFileServer(t), open(true), int64(len(servedFile()))
	for path, total := range map[string]int64{"/talks/a.mp3": size, "/stream": -1, "/resumes": size} {
		last := int64(-1)
		_, _, err := fetch(t, f, engine.FetchRequest{URL: s.URL + path, Progress: func(done, of int64) {
			require.GreaterOrEqual(t, done, max(last, 0), path)
			require.Equal(t, total, of, path)
			last = done
		}})
		require.NoError(t, err)
		require.Equal(t, size, last, path)
	}
}

func classifiesErrors(t *testing.T, open fetchers) {
	s, f := newFileServer(t), open(true)
	for code, later := range map[int]bool{404: false, 410: false, 403: false, 429: true, 500: true, 503: true} {
		got, info, err := fetch(t, f, engine.FetchRequest{URL: fmt.Sprintf("%s/status/%d", s.URL, code)})
		requireCode(t, engine.CodeDownload, err)
		require.Equal(t, later, retryable(err), "status %d", code)
		require.Contains(t, engine.Message(err), fmt.Sprint(code))
		require.Empty(t, got)
		require.Zero(t, info)
	}
	_, _, err := fetch(t, f, engine.FetchRequest{URL: s.URL + "/loop"})
	requireCode(t, engine.CodeDownload, err)
	s.Close()
	_, _, err = fetch(t, f, engine.FetchRequest{URL: s.URL + "/stream"})
	requireCode(t, engine.CodeDownload, err)
	require.True(t, retryable(err), "a connection error is retryable")
}

func rejectsWebPages(t *testing.T, open fetchers) {
	s, f := newFileServer(t), open(true)
	for _, path := range []string{"/page", "/disguised.mp3"} {
		got, _, err := fetch(t, f, engine.FetchRequest{URL: s.URL + path})
		requireCode(t, engine.CodeDownload, err)
		require.False(t, retryable(err))
		require.Empty(t, got)
	}
}

func resumesDownload(t *testing.T, open fetchers) {
	s := newFileServer(t)
	got, info, err := fetch(t, open(true), engine.FetchRequest{URL: s.URL + "/resumes"})
	require.NoError(t, err)
	require.True(t, got == servedFile(), "%d bytes", len(got))
	require.EqualValues(t, len(servedFile()), info.Size)
	require.Greater(t, len(s.requests()), 1)
	for _, again := range s.requests()[1:] {
		require.NotEmpty(t, again.Get("Range"))
	}
}

func failsWithoutResume(t *testing.T, open fetchers) {
	s, f := newFileServer(t), open(true)
	for _, path := range []string{"/breaks", "/changes"} {
		got, info, err := fetch(t, f, engine.FetchRequest{URL: s.URL + path})
		requireCode(t, engine.CodeDownload, err)
		require.True(t, retryable(err), "an interrupted download is retryable")
		require.True(t, strings.HasPrefix(servedFile(), got))
		require.Zero(t, info)
	}
}

// failingWriter is a writer whose writes fail.
type failingWriter struct{ err error }

func (r failingWriter) Write([]byte) (int, error) { return 0, r.err }

func returnsWriterError(t *testing.T, open fetchers) {
	s, f := newFileServer(t), open(true)
	for _, want := range []error{engine.Errorf(engine.CodeNoSpace, "Write", "The disk is full."), errTest} {
		_, err := f.Fetch(t.Context(), engine.FetchRequest{URL: s.URL + "/resumes"}, failingWriter{want})
		require.ErrorIs(t, err, want)
		require.Equal(t, engine.CodeOf(want), engine.CodeOf(err))
	}
	require.Len(t, s.requests(), 2)
}

func fetchRejectsInvalidURLs(t *testing.T, open fetchers) {
	for _, f := range []engine.Fetcher{open(true), open(false)} {
		for _, url := range invalidURLs {
			requireCode(t, engine.CodeInvalid, f.Check(t.Context(), url))
			_, _, err := fetch(t, f, engine.FetchRequest{URL: url})
			requireCode(t, engine.CodeInvalid, err)
		}
	}
}

func fetchRejectsNonPublic(t *testing.T, open fetchers) {
	f := open(false)
	for _, url := range nonPublicURLs {
		requireCode(t, engine.CodeNotPublic, f.Check(t.Context(), url))
		_, _, err := fetch(t, f, engine.FetchRequest{URL: url})
		requireCode(t, engine.CodeNotPublic, err)
	}
}

func fetchEndsWithContext(t *testing.T, open fetchers) {
	s, f := newFileServer(t), open(true)
	requireCanceled(t, func(ctx context.Context) error {
		_, err := f.Fetch(ctx, engine.FetchRequest{URL: s.URL + "/stream"}, io.Discard)
		return err
	})
	require.Empty(t, s.requests())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		<-s.hanging
		cancel()
	}()
	_, err := f.Fetch(ctx, engine.FetchRequest{URL: s.URL + "/hangs"}, io.Discard)
	requireCode(t, engine.CodeCanceled, err)
}

func fetchesConcurrently(t *testing.T, open fetchers) {
	s, f := newFileServer(t), open(true)
	require.NoError(t, concurrently(12, func(i int) error {
		var b strings.Builder
		_, err := f.Fetch(t.Context(), engine.FetchRequest{URL: s.URL + []string{"/stream", "/resumes", "/moved"}[i%3]}, &b)
		if err == nil && b.String() != servedFile() {
			err = fmt.Errorf("%d wrong bytes", b.Len())
		}
		return err
	}))
}
