package emulator

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/fetch"
)

// pages passes the conformance suites of Resolver and Fetcher.
func TestConformanceOfPages(t *testing.T) {
	t.Parallel()
	enginetest.TestFetcher(t, func(_ *testing.T, private bool) engine.Fetcher {
		return pages{Fetcher: fetch.New(fetch.Config{AllowPrivate: private})}
	})
	enginetest.TestResolver(
		t, func(*testing.T) engine.Resolver { return pages{Fetcher: unreachable{}} },
		"https://www.youtube.com/watch?v=abc", "https://www.tiktok.com/@someone/video/7", "https://soundcloud.com/somebody/some-track",
	)
}

// Fetching the sandbox's own media respects the size limit and the context.
func TestPagesObeyLimits(t *testing.T) {
	t.Parallel()
	p := pages{Fetcher: unreachable{}}
	at := "https://" + pagesHost + "/audio.ogg"
	info, err := p.Fetch(t.Context(), engine.FetchRequest{URL: at}, io.Discard)
	require.NoError(t, err)
	_, err = p.Fetch(t.Context(), engine.FetchRequest{URL: at, MaxSize: info.Size}, io.Discard)
	require.NoError(t, err)
	_, err = p.Fetch(t.Context(), engine.FetchRequest{URL: at, MaxSize: info.Size - 1}, io.Discard)
	require.Equal(t, engine.CodeTooLarge, engine.CodeOf(err))
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = p.Fetch(canceled, engine.FetchRequest{URL: at}, io.Discard)
	require.Equal(t, engine.CodeCanceled, engine.CodeOf(err))
}
