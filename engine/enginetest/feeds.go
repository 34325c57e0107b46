package enginetest

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"strings"
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

// shelf is a Fetcher of the documents of this file: the last part of a URL names one.
type shelf struct{}

var _ engine.Fetcher = shelf{}

// shelfURL returns where the shelf has a document.
func shelfURL(name string) string { return "https://feeds.example.org/shows/" + url.PathEscape(name) }

func (shelf) Check(ctx context.Context, _ string) error { return ctx.Err() }

func (shelf) Fetch(ctx context.Context, req engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
	name, _ := url.PathUnescape(req.URL[strings.LastIndex(req.URL, "/")+1:])
	doc, ok := feeds[name]
	switch code, failing := strings.CutPrefix(name, "fails "); {
	case ctx.Err() != nil:
		return engine.FetchInfo{}, ctx.Err()
	case failing:
		return engine.FetchInfo{}, engine.Errorf(engine.Code(code), "Fetch", "The shelf fails on purpose.").Transient()
	case !ok:
		return engine.FetchInfo{}, engine.Errorf(engine.CodeDownload, "Fetch", "The shelf has no %s.", name)
	case req.MaxSize > 0 && int64(len(doc)) > req.MaxSize:
		return engine.FetchInfo{}, engine.Errorf(engine.CodeTooLarge, "Fetch", "The document is too large.")
	}
	_, err := io.WriteString(w, doc)
	return engine.FetchInfo{URL: req.URL, ContentType: "text/xml", Filename: name, Size: int64(len(doc))}, err
}

// feeds are documents by their name.
var feeds = map[string]string{
	"rss": `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Harbour Talk</title>
<item><title>Fog &amp; foghorns</title><guid isPermaLink="false">harbour-2</guid><pubDate>Tue, 04 Mar 2025 06:00:00 +0100</pubDate>
<itunes:episode>2</itunes:episode><itunes:season>3</itunes:season><enclosure url="https://media.example.org/2.mp3?a=1&amp;b=2" type="audio/mpeg" length="1"/></item>
<item><title>A text without media</title><guid>harbour-text</guid></item>
<item><title>灯台</title><enclosure url="https://media.example.org/1.m4a" type="audio/x-m4a" length="1"/></item>
</channel></rss>`,
	"atom": `<feed xmlns="http://www.w3.org/2005/Atom"><title>Harbour Talk</title>
<entry><id>urn:talk:1</id><title>Tides</title><published>2025-03-04T05:00:00Z</published><link rel="alternate" href="https://example.org/tides"/>
<link rel="enclosure" type="video/mp4" href="https://media.example.org/tides.mp4"/></entry>
<entry><id>urn:talk:text</id><title>Only text</title><link rel="alternate" href="https://example.org/text"/></entry>
</feed>`,
	"odd": `<rss version="2.0"><channel><title> </title>
<item><title>&lt;script&gt;alert(1)&lt;/script&gt;&#10;two lines</title><guid> </guid><pubDate>the day before</pubDate><enclosure url="relative.mp3" type="audio/mpeg"/></item>
<item><enclosure url="//media.example.org/scheme.mp3" type="audio/mpeg"/></item>
<item><title>no address</title><enclosure url="" type="audio/mpeg"/></item>
<item><title>a file</title><enclosure url="file:///etc/passwd" type="audio/mpeg"/></item>
<item><title>a script</title><enclosure url="javascript:alert(1)" type="audio/mpeg"/></item>
<item><title>a picture</title><enclosure url="https://media.example.org/cover.jpg" type="image/jpeg"/></item>
</channel></rss>`,
	"empty rss":  `<rss version="2.0"><channel><title>Nothing yet</title></channel></rss>`,
	"empty atom": `<feed xmlns="http://www.w3.org/2005/Atom"><title>Nothing yet</title></feed>`,

	"nothing": "", "blank": " \n", "text": "Come back later.", "json": `{"version":"https://jsonfeed.org/version/1.1","items":[]}`, "sound": "RIFF\x24\x00\x00\x00WAVEfmt ",
	"page": `<!DOCTYPE html><html><head><title>A show</title></head><body><p>Listen</body></html>`, "picture": `<svg xmlns="http://www.w3.org/2000/svg"/>`,
	"cut": `<rss version="2.0"><channel><title>Harbour Talk</title><item><title>Fog`,

	"deep":     `<rss><channel>` + strings.Repeat("<a>", 20_000),
	"wide":     `<rss version="2.0"><channel><title>` + strings.Repeat("a<!-- -->", 20_000) + `</title></channel></rss>`,
	"laughs":   laughs(),
	"outside":  `<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss version="2.0"><channel><title>&x;</title></channel></rss>`,
	"unknown":  `<?xml version="1.0" encoding="x-unknown"?><rss version="2.0"><channel><title>a</title></channel></rss>`,
	"bad text": "<rss version=\"2.0\"><channel><title>a\xff\x00\x1b</title></channel></rss>",
}

// laughs is a document of entities that double twenty times.
func laughs() string {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE rss [<!ENTITY a0 "ha">`)
	for i := range 20 {
		fmt.Fprintf(&b, `<!ENTITY a%d "&a%d;&a%d;">`, i+1, i, i)
	}
	b.WriteString(`]><rss version="2.0"><channel><title>&a20;</title></channel></rss>`)
	return b.String()
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
