package enginetest

import (
	"context"
	"fmt"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// TestFeedReader runs every claim about a FeedReader, each on one that open has just made, which downloads with f.
func TestFeedReader(t *testing.T, open func(t *testing.T, f engine.Fetcher) engine.FeedReader) {
	t.Helper()
	uphold(t, func(t *testing.T) engine.FeedReader { return open(t, shelf{}) }, []claim[engine.FeedReader]{
		{"an RSS feed gives its episodes in its order, with what iTunes tags say of them", readsRSS},
		{"an Atom feed gives its entries that have media, in its order", readsAtom},
		{"every item has a GUID, media that can be fetched, and texts that can be shown", readsOddItems},
		{"a feed without episodes has no items and is no error", readsEmptyFeed},
		{"what is no feed is unprocessable", readsNoFeed},
		{"a feed that is made to be costly is read or refused", readsCostlyFeed},
		{"an error of the download comes back with its code", readsNothingOfBroken},
		{"reading a feed ends when its context is over", readsNothingWhenOver},
		{"a feed reader reads many at once", readsAtOnce},
	})
}

func readsRSS(t *testing.T, r engine.FeedReader) {
	got, err := r.ReadFeed(t.Context(), shelfURL("rss"))
	require.NoError(t, err)
	published, episode, season := time.Date(2025, time.March, 4, 5, 0, 0, 0, time.UTC), 2, 3
	require.Equal(t, engine.Feed{Title: "Harbour Talk", Items: []engine.FeedItem{
		{
			GUID: "harbour-2", Title: "Fog & foghorns", URL: "https://media.example.org/2.mp3?a=1&b=2",
			PublishedAt: &published, EpisodeNumber: &episode, SeasonNumber: &season,
		},
		{GUID: "https://media.example.org/1.m4a", Title: "灯台", URL: "https://media.example.org/1.m4a"},
	}}, got)
}

func readsAtom(t *testing.T, r engine.FeedReader) {
	got, err := r.ReadFeed(t.Context(), shelfURL("atom"))
	require.NoError(t, err)
	published := time.Date(2025, time.March, 4, 5, 0, 0, 0, time.UTC)
	require.Equal(t, engine.Feed{Title: "Harbour Talk", Items: []engine.FeedItem{
		{GUID: "urn:talk:1", Title: "Tides", URL: "https://media.example.org/tides.mp4", PublishedAt: &published},
	}}, got)
}

// requireItems claims that a feed can be imported.
func requireItems(t *testing.T, f engine.Feed) {
	t.Helper()
	requireText(t, f.Title, "the title of a feed")
	for _, it := range f.Items {
		requireText(t, it.Title+it.GUID, "an item")
		require.NotEmpty(t, it.GUID)
		require.NotContains(t, it.Title, "\n")
		u, err := url.Parse(it.URL)
		require.NoError(t, err)
		require.Contains(t, []string{"http", "https"}, u.Scheme, it.URL)
		require.NotEmpty(t, u.Host, it.URL)
	}
}

func readsOddItems(t *testing.T, r engine.FeedReader) {
	got, err := r.ReadFeed(t.Context(), shelfURL("odd"))
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
		got, err := r.ReadFeed(t.Context(), shelfURL(name))
		require.NoError(t, err)
		require.Equal(t, "Nothing yet", got.Title)
		require.Empty(t, got.Items)
	}
}

func readsNoFeed(t *testing.T, r engine.FeedReader) {
	for _, name := range []string{"nothing", "blank", "text", "json", "sound", "page", "picture", "cut"} {
		got, err := r.ReadFeed(t.Context(), shelfURL(name))
		requireCode(t, engine.CodeUnprocessable, err)
		requireRefused(t, err, name)
		require.False(t, retryable(err), name)
		require.Zero(t, got)
	}
}

func readsCostlyFeed(t *testing.T, r engine.FeedReader) {
	for _, name := range []string{"deep", "wide", "laughs", "outside", "unknown", "bad text"} {
		got, err := r.ReadFeed(t.Context(), shelfURL(name))
		if err != nil {
			requireRefused(t, err, name)
			continue
		}
		requireItems(t, got)
		require.NotContains(t, got.Title, "root:", "a file of this machine")
		require.Less(t, len(got.Title), 100_000, "of %s", name)
	}
}

func readsNothingOfBroken(t *testing.T, r engine.FeedReader) {
	for _, code := range []engine.Code{engine.CodeInvalid, engine.CodeNotPublic, engine.CodeDownload, engine.CodeTooLarge} {
		_, err := r.ReadFeed(t.Context(), shelfURL("fails "+string(code)))
		requireCode(t, code, err)
		require.True(t, retryable(err), "as the download was")
	}
}

func readsNothingWhenOver(t *testing.T, r engine.FeedReader) {
	requireOver(t, func(ctx context.Context) error {
		_, err := r.ReadFeed(ctx, shelfURL("rss"))
		return err
	})
}

func readsAtOnce(t *testing.T, r engine.FeedReader) {
	require.NoError(t, together(16, func(i int) error {
		name, want := []string{"rss", "atom", "odd"}[i%3], []int{2, 1, 2}[i%3]
		got, err := r.ReadFeed(t.Context(), shelfURL(name))
		if err == nil && len(got.Items) != want {
			err = fmt.Errorf("%s has %d items", name, len(got.Items))
		}
		return err
	}))
}
