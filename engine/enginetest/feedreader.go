package enginetest

import (
	"context"
	"fmt"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/podcast"
)

// TestFeedReader checks an implementation of engine.FeedReader. Each subtest calls open; the result must download with f.
func TestFeedReader(t *testing.T, open func(t *testing.T, f engine.Fetcher) engine.FeedReader) {
	t.Helper()
	runClaims(t, func(t *testing.T) engine.FeedReader { return open(t, feedFixtures{}) }, []claim[engine.FeedReader]{
		{"an RSS feed yields its episodes in order with their iTunes tags", readsRSS},
		{"an Atom feed yields its entries with media in order", readsAtom},
		{"every item has a GUID, a fetchable media URL, and valid text", readsOddItems},
		{"a feed without episodes has no items and no error", readsEmptyFeed},
		{"a document that is not a feed is CodeUnprocessable", rejectsOtherDocuments},
		{"a malicious feed is read or rejected", readsMaliciousFeed},
		{"a download error keeps its code", returnsDownloadError},
		{"reading a feed ends when its context ends", readEndsWithContext},
		{"a feed reader supports concurrent calls", readsConcurrently},
	})
}

func readsRSS(t *testing.T, r engine.FeedReader) {
	got, err := r.ReadFeed(t.Context(), feedURL("rss"))
	require.NoError(t, err)
	published, episode, season := time.Date(2025, time.March, 4, 5, 0, 0, 0, time.UTC), 2, 3
	require.Equal(t, podcast.Feed{Title: "Harbour Talk", Items: []podcast.Item{
		{
			GUID: "harbour-2", Title: "Fog & foghorns", URL: "https://media.example.org/2.mp3?a=1&b=2",
			PublishedAt: &published, EpisodeNumber: &episode, SeasonNumber: &season,
		},
		{GUID: "https://media.example.org/1.m4a", Title: "灯台", URL: "https://media.example.org/1.m4a"},
	}}, got)
}

func readsAtom(t *testing.T, r engine.FeedReader) {
	got, err := r.ReadFeed(t.Context(), feedURL("atom"))
	require.NoError(t, err)
	published := time.Date(2025, time.March, 4, 5, 0, 0, 0, time.UTC)
	require.Equal(t, podcast.Feed{Title: "Harbour Talk", Items: []podcast.Item{
		{GUID: "urn:talk:1", Title: "Tides", URL: "https://media.example.org/tides.mp4", PublishedAt: &published},
	}}, got)
}

// requireItems fails the test unless every item of a feed can be imported.
func requireItems(t *testing.T, f podcast.Feed) {
	t.Helper()
	requireText(t, f.Title, "the title of a feed")
	for _, it := range f.Items {
		requireText(t, it.Title+it.GUID, "a feed item")
		require.NotEmpty(t, it.GUID)
		require.NotContains(t, it.Title, "\n")
		u, err := url.Parse(it.URL)
		require.NoError(t, err)
		require.Contains(t, []string{"http", "https"}, u.Scheme, it.URL)
		require.NotEmpty(t, u.Host, it.URL)
	}
}

func readsOddItems(t *testing.T, r engine.FeedReader) {
	got, err := r.ReadFeed(t.Context(), feedURL("odd"))
	require.NoError(t, err)
	requireItems(t, got)
	var media []string
	for _, it := range got.Items {
		media = append(media, it.URL)
		require.Nil(t, it.PublishedAt)
	}
	require.Equal(t, []string{"https://feeds.example.org/shows/relative.mp3", "https://media.example.org/scheme.mp3"}, media)
}

func readsEmptyFeed(t *testing.T, r engine.FeedReader) {
	for _, name := range []string{"empty rss", "empty atom"} {
		got, err := r.ReadFeed(t.Context(), feedURL(name))
		require.NoError(t, err)
		require.Equal(t, "Nothing yet", got.Title)
		require.Empty(t, got.Items)
	}
}

func rejectsOtherDocuments(t *testing.T, r engine.FeedReader) {
	for _, name := range []string{"nothing", "blank", "text", "json", "sound", "page", "picture", "cut"} {
		got, err := r.ReadFeed(t.Context(), feedURL(name))
		requireCode(t, engine.CodeUnprocessable, err)
		requireMessage(t, err, name)
		require.False(t, retryable(err), name)
		require.Zero(t, got)
	}
}

func readsMaliciousFeed(t *testing.T, r engine.FeedReader) {
	for _, name := range []string{"deep", "wide", "laughs", "outside", "unknown", "bad text"} {
		got, err := r.ReadFeed(t.Context(), feedURL(name))
		if err != nil {
			requireMessage(t, err, name)
			continue
		}
		requireItems(t, got)
		require.NotContains(t, got.Title, "root:", "the title contains a local file")
		require.Less(t, len(got.Title), 100_000, "the title of %s", name)
	}
}

func returnsDownloadError(t *testing.T, r engine.FeedReader) {
	for _, code := range []engine.Code{engine.CodeInvalid, engine.CodeNotPublic, engine.CodeDownload, engine.CodeTooLarge} {
		_, err := r.ReadFeed(t.Context(), feedURL("fails "+string(code)))
		requireCode(t, code, err)
		require.True(t, retryable(err), "the download error is retryable")
	}
}

func readEndsWithContext(t *testing.T, r engine.FeedReader) {
	requireCanceled(t, func(ctx context.Context) error {
		_, err := r.ReadFeed(ctx, feedURL("rss"))
		return err
	})
}

func readsConcurrently(t *testing.T, r engine.FeedReader) {
	require.NoError(t, concurrently(16, func(i int) error {
		name, want := []string{"rss", "atom", "odd"}[i%3], []int{2, 1, 2}[i%3]
		got, err := r.ReadFeed(t.Context(), feedURL(name))
		if err == nil && len(got.Items) != want {
			err = fmt.Errorf("%s has %d items", name, len(got.Items))
		}
		return err
	}))
}
