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

// fetchers makes a Fetcher; private says whether it may reach addresses that are not public.
type fetchers func(private bool) engine.Fetcher

// TestFetcher runs every claim about a Fetcher, each on one that open has just made. One that is private may reach this machine,
// on any port; one that isn't is the Fetcher as it is for strangers' URLs. Pauses of its own should be on a clock that skips them.
func TestFetcher(t *testing.T, open func(t *testing.T, private bool) engine.Fetcher) {
	t.Helper()
	uphold(t, func(t *testing.T) fetchers { return func(private bool) engine.Fetcher { return open(t, private) } }, []claim[fetchers]{
		{"the bytes come through as they are, whether their number is announced or not", fetchesBytes},
		{"a download says where it came from, what it is and how it is called", fetchesInfo},
		{"the headers that were asked for reach the server", fetchesWithHeaders},
		{"a file of exactly the limit comes through, and of a larger one not a byte beyond it", fetchesUpToLimit},
		{"a download progresses to its size and never falls back", fetchingProgresses},
		{"what isn't there can't be had, and what fails may be had later", fetchesNoErrors},
		{"a web page is no media, whatever it is called", fetchesNoPages},
		{"a download that breaks off is resumed where the server lets it", fetchesTheRest},
		{"a download that can't be resumed fails, and what was written is the beginning of the file", fetchesNoMixture},
		{"an error of the writer comes back and ends the download", fetchesForWriter},
		{"an address that is none is invalid, for a check and for a download", fetchesNoNonsense},
		{"an address that is not public is refused, for a check and for a download", fetchesNothingPrivate},
		{"a download whose context is over ends, before and in the middle", fetchesNothingWhenOver},
		{"a fetcher downloads many at once", fetchesAtOnce},
	})
}

// fetch downloads into memory.
func fetch(t *testing.T, f engine.Fetcher, req engine.FetchRequest) (string, engine.FetchInfo, error) {
	t.Helper()
	var b strings.Builder
	info, err := f.Fetch(t.Context(), req, &b)
	return b.String(), info, err
}

func fetchesBytes(t *testing.T, open fetchers) {
	s, f := newSite(t), open(true)
	for _, path := range []string{"/talks/a.mp3", "/stream", "/moved"} {
		require.NoError(t, f.Check(t.Context(), s.URL+path))
		got, info, err := fetch(t, f, engine.FetchRequest{URL: s.URL + path})
		require.NoError(t, err)
		require.True(t, got == siteFile(), "%d bytes of %s", len(got), path)
		require.EqualValues(t, len(siteFile()), info.Size)
	}
}

func fetchesInfo(t *testing.T, open fetchers) {
	s, f := newSite(t), open(true)
	for path, want := range map[string]engine.FetchInfo{
		"/talks/my%20talk.mp3?t=1": {URL: "/talks/my%20talk.mp3?t=1", ContentType: "audio/mpeg", Filename: "my talk.mp3", Size: int64(len(siteFile()))},
		"/moved":                   {URL: "/talks/moved%20here.mp3", ContentType: "audio/mpeg", Filename: "moved here.mp3", Size: int64(len(siteFile()))},
		"/named":                   {URL: "/named", ContentType: "video/mp4", Filename: "a talk.mp4", Size: 12},
	} {
		_, info, err := fetch(t, f, engine.FetchRequest{URL: s.URL + path})
		require.NoError(t, err)
		want.URL = s.URL + want.URL
		require.Equal(t, want, info)
	}
}

func fetchesWithHeaders(t *testing.T, open fetchers) {
	s := newSite(t)
	_, _, err := fetch(t, open(true), engine.FetchRequest{URL: s.URL + "/stream", Header: map[string]string{"Referer": "https://example.org/show", "Cookie": "a=b"}})
	require.NoError(t, err)
	require.Len(t, s.requests(), 1)
	require.Equal(t, "https://example.org/show", s.requests()[0].Get("Referer"))
	require.Equal(t, "a=b", s.requests()[0].Get("Cookie"))
}

func fetchesUpToLimit(t *testing.T, open fetchers) {
	s, f, size := newSite(t), open(true), int64(len(siteFile()))
	for _, path := range []string{"/talks/a.mp3", "/stream"} {
		got, _, err := fetch(t, f, engine.FetchRequest{URL: s.URL + path, MaxSize: size})
		require.NoError(t, err)
		require.EqualValues(t, size, len(got))
		for _, limit := range []int64{1, size / 2, size - 1} {
			got, _, err = fetch(t, f, engine.FetchRequest{URL: s.URL + path, MaxSize: limit})
			requireCode(t, engine.CodeTooLarge, err)
			require.LessOrEqual(t, int64(len(got)), limit)
			require.True(t, strings.HasPrefix(siteFile(), got))
		}
	}
}

func fetchingProgresses(t *testing.T, open fetchers) {
	s, f, size := newSite(t), open(true), int64(len(siteFile()))
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

func fetchesNoErrors(t *testing.T, open fetchers) {
	s, f := newSite(t), open(true)
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
	require.True(t, retryable(err), "a server that is down may come back")
}

func fetchesNoPages(t *testing.T, open fetchers) {
	s, f := newSite(t), open(true)
	for _, path := range []string{"/page", "/disguised.mp3"} {
		got, _, err := fetch(t, f, engine.FetchRequest{URL: s.URL + path})
		requireCode(t, engine.CodeDownload, err)
		require.False(t, retryable(err))
		require.Empty(t, got)
	}
}

func fetchesTheRest(t *testing.T, open fetchers) {
	s := newSite(t)
	got, info, err := fetch(t, open(true), engine.FetchRequest{URL: s.URL + "/resumes"})
	require.NoError(t, err)
	require.True(t, got == siteFile(), "%d bytes", len(got))
	require.EqualValues(t, len(siteFile()), info.Size)
	require.Greater(t, len(s.requests()), 1)
	for _, again := range s.requests()[1:] {
		require.NotEmpty(t, again.Get("Range"))
	}
}

func fetchesNoMixture(t *testing.T, open fetchers) {
	s, f := newSite(t), open(true)
	for _, path := range []string{"/breaks", "/changes"} {
		got, info, err := fetch(t, f, engine.FetchRequest{URL: s.URL + path})
		requireCode(t, engine.CodeDownload, err)
		require.True(t, retryable(err), "another download may come through")
		require.True(t, strings.HasPrefix(siteFile(), got))
		require.Zero(t, info)
	}
}

// refusing is a writer that is full.
type refusing struct{ err error }

func (r refusing) Write([]byte) (int, error) { return 0, r.err }

func fetchesForWriter(t *testing.T, open fetchers) {
	s, f := newSite(t), open(true)
	for _, want := range []error{engine.Errorf(engine.CodeNoSpace, "Write", "The disk is full."), errTest} {
		_, err := f.Fetch(t.Context(), engine.FetchRequest{URL: s.URL + "/resumes"}, refusing{want})
		require.ErrorIs(t, err, want)
		require.Equal(t, engine.CodeOf(want), engine.CodeOf(err))
	}
	require.Len(t, s.requests(), 2)
}

func fetchesNoNonsense(t *testing.T, open fetchers) {
	for _, f := range []engine.Fetcher{open(true), open(false)} {
		for _, url := range nonsense {
			requireCode(t, engine.CodeInvalid, f.Check(t.Context(), url))
			_, _, err := fetch(t, f, engine.FetchRequest{URL: url})
			requireCode(t, engine.CodeInvalid, err)
		}
	}
}

func fetchesNothingPrivate(t *testing.T, open fetchers) {
	f := open(false)
	for _, url := range unreachable {
		requireCode(t, engine.CodeNotPublic, f.Check(t.Context(), url))
		_, _, err := fetch(t, f, engine.FetchRequest{URL: url})
		requireCode(t, engine.CodeNotPublic, err)
	}
}

func fetchesNothingWhenOver(t *testing.T, open fetchers) {
	s, f := newSite(t), open(true)
	requireOver(t, func(ctx context.Context) error {
		_, err := f.Fetch(ctx, engine.FetchRequest{URL: s.URL + "/stream"}, io.Discard)
		return err
	})
	require.Empty(t, s.requests())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		<-s.asked
		cancel()
	}()
	_, err := f.Fetch(ctx, engine.FetchRequest{URL: s.URL + "/hangs"}, io.Discard)
	requireCode(t, engine.CodeCanceled, err)
}

func fetchesAtOnce(t *testing.T, open fetchers) {
	s, f := newSite(t), open(true)
	require.NoError(t, together(12, func(i int) error {
		var b strings.Builder
		_, err := f.Fetch(t.Context(), engine.FetchRequest{URL: s.URL + []string{"/stream", "/resumes", "/moved"}[i%3]}, &b)
		if err == nil && b.String() != siteFile() {
			err = fmt.Errorf("%d other bytes", b.Len())
		}
		return err
	}))
}
