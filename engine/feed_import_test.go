package engine_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/podcast"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// feedStage returns an engine that reads one feed.
func feedStage(t *testing.T, c engine.Config, items ...podcast.Item) *stage {
	t.Helper()
	c.Feeds = reads(func() (podcast.Feed, error) { return podcast.Feed{Title: "The\nShow", Items: items}, nil })
	return newStage(t, c)
}

// feed imports the feed.
func (s *stage) feed(limit int) engine.FeedImport {
	s.t.Helper()
	f, err := s.ImportFeed(s.t.Context(), s.caller, engine.NewFeedImport{URL: "https://feeds.example/show", Limit: limit})
	require.NoError(s.t, err)
	return f
}

// imported returns the titles of the imports.
func imported(f engine.FeedImport) (all []string) {
	for _, i := range f.Imports {
		all = append(all, i.Title)
	}
	return all
}

func at(day int) *time.Time {
	d := time.Date(2024, 1, day, 12, 0, 0, 0, time.FixedZone("CET", 3600))
	return &d
}

// An item becomes a recording with the feed's title, date, and numbers, and the feed as its origin.
func TestImportFeed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		seven, two := 7, 2
		full, bare := feedItem("full"), feedItem("bare")
		full.PublishedAt, full.EpisodeNumber, full.SeasonNumber = at(3), &seven, &two
		s := feedStage(t, engine.Config{}, full, bare)
		t.Cleanup(s.start())
		f := s.feed(0)
		require.Equal(t, "The Show", f.Title)
		require.Zero(t, f.Skipped)
		require.Equal(t, []string{"BARE", "FULL"}, imported(f), "oldest first; items without a date count as oldest")
		published := at(3).UTC()
		r, _, err := s.GetRecording(t.Context(), s.caller, s.imported(f.Imports[1].ID).RecordingID)
		require.NoError(t, err)
		require.Equal(t, "FULL", r.Title)
		require.Equal(t, &engine.RSS{GUID: "full", PublishedAt: published, EpisodeNumber: &seven}, r.RSS)
		require.Equal(t, []*int{&seven, &two}, []*int{r.EpisodeNumber, r.SeasonNumber})
		require.Equal(t, &r.CreatedAt, r.PublishedAt, "when it appeared in the service, not when the feed published it")
		r, _, err = s.GetRecording(t.Context(), s.caller, s.imported(f.Imports[0].ID).RecordingID)
		require.NoError(t, err)
		require.Equal(t, &engine.RSS{GUID: "bare", PublishedAt: f.Imports[0].CreatedAt}, r.RSS)
		require.Equal(t, &r.CreatedAt, r.PublishedAt)
		require.Nil(t, r.EpisodeNumber)
		require.Nil(t, r.SeasonNumber)
	})
}

// A limit takes the newest items, in any order of the feed. Items are queued oldest first, so that one worker numbers them in
// that order.
func TestImportFeedOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var items []podcast.Item
		for _, day := range []int{3, 1, 5, 2, 4} {
			item := feedItem(fmt.Sprintf("day%d", day))
			item.PublishedAt = at(day)
			items = append(items, item)
		}
		items = append(items, feedItem("undated1"), feedItem("undated2"))
		s := feedStage(t, engine.Config{Workers: map[queue.Class]int{queue.ClassImport: 1}}, items...)
		t.Cleanup(s.start())
		f := s.feed(3)
		require.Equal(t, []string{"DAY3", "DAY4", "DAY5"}, imported(f))
		for n, i := range f.Imports {
			r, _, err := s.GetRecording(t.Context(), s.caller, s.imported(i.ID).RecordingID)
			require.NoError(t, err)
			require.Equal(t, n+1, r.Number)
		}
		f = s.feed(3)
		require.Empty(t, f.Imports, "a second call must import nothing")
		require.Equal(t, 3, f.Skipped)
		f = s.feed(0)
		require.Equal(t, []string{"UNDATED2", "UNDATED1", "DAY1", "DAY2"}, imported(f))
		require.Equal(t, 3, f.Skipped)
	})
}

// No item is imported twice: not when it is queued or done, not in one feed and not in two calls. Failed and canceled items are
// retried. Other spaces and feeds are independent.
func TestImportFeedTwice(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := feedStage(t, engine.Config{}, feedItem("a"), feedItem("b"), feedItem("a"))
		ctx := t.Context()
		f := s.feed(0)
		require.Len(t, f.Imports, 2)
		require.Equal(t, 1, f.Skipped, "one GUID occurs twice")
		require.NoError(t, s.CancelImport(ctx, f.Imports[0].ID))
		again := s.feed(0)
		require.Equal(t, []string{f.Imports[0].Title}, imported(again))
		require.Equal(t, 2, again.Skipped)
		t.Cleanup(s.start())
		s.imported(again.Imports[0].ID)
		s.imported(f.Imports[1].ID)
		require.Empty(t, s.feed(0).Imports)
		require.Len(t, s.recordings(), 2)

		other, err := s.CreateSpace(ctx, s.caller, engine.Space{Name: "Other"})
		require.NoError(t, err)
		elsewhere, err := s.ImportFeed(ctx, s.caller, engine.NewFeedImport{URL: "https://feeds.example/show", SpaceID: other.ID})
		require.NoError(t, err)
		require.Len(t, elsewhere.Imports, 2)
		mirror, err := s.ImportFeed(ctx, s.caller, engine.NewFeedImport{URL: "https://feeds.example/mirror"})
		require.NoError(t, err)
		require.Len(t, mirror.Imports, 2)
	})
}

// Concurrent calls import each item once.
func TestImportFeedConcurrently(t *testing.T) {
	t.Parallel()
	var items []podcast.Item
	for i := range 40 {
		items = append(items, feedItem(fmt.Sprint(i)))
	}
	s := feedStage(t, engine.Config{}, items...)
	var mu sync.Mutex
	var all sync.WaitGroup
	made, skipped := 0, 0
	for range 20 {
		all.Go(func() {
			f, err := s.ImportFeed(t.Context(), s.caller, engine.NewFeedImport{URL: "https://feeds.example/show"})
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				made, skipped = made+len(f.Imports), skipped+f.Skipped
			}
		})
	}
	all.Wait()
	require.Equal(t, 40, made)
	require.Equal(t, 19*40, skipped)
}

// A bad item fails only its own import, and unusual texts, dates, and numbers cause no error.
func TestImportFeedOfOddItems(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		private, script, long, odd := feedItem("private"), feedItem("script"), feedItem("long"), feedItem("odd\xff")
		script.URL, long.URL = "javascript:alert(1)", "https://media.example/"+strings.Repeat("é", 4000)
		far, minus := time.Date(12024, 1, 1, 0, 0, 0, 0, time.UTC), -1
		odd.Title, odd.PublishedAt, odd.EpisodeNumber, odd.SeasonNumber = "Odd\x00\xff", &far, &minus, &minus
		s := feedStage(t, engine.Config{Fetcher: checked{fetchesAnything, func(url string) error {
			if strings.Contains(url, "private") {
				return engine.Errorf(engine.CodeNotPublic, "", "")
			}
			return nil
		}}}, private, script, long, odd)
		t.Cleanup(s.start())
		f := s.feed(0)
		require.Len(t, f.Imports, 4)
		ends := map[string]string{}
		for _, i := range f.Imports {
			i = s.imported(i.ID)
			ends[i.Title] = i.Error
			require.LessOrEqual(t, len(i.URL), 4096)
			require.Equal(t, i.Error == "", i.Status == engine.ImportCompleted)
		}
		require.Equal(t, map[string]string{
			"PRIVATE":    "url must resolve to a public address",
			"SCRIPT":     "url must be a valid http or https address.",
			"LONG":       "url must be a valid http or https address.",
			"Odd \uFFFD": "",
		}, ends)
		require.Len(t, s.recordings(), 1)
		r := s.recordings()[0]
		require.Equal(t, "odd\uFFFD", r.RSS.GUID)
		require.Equal(t, 2000, r.RSS.PublishedAt.Year())
		require.Nil(t, r.EpisodeNumber)
		require.Nil(t, r.SeasonNumber)
	})
}

// An invalid request and an unreadable feed return an error, and nothing is queued.
func TestImportFeedRefusals(t *testing.T) {
	t.Parallel()
	ask := engine.NewFeedImport{URL: "https://feeds.example/show"}
	for name, c := range map[string]struct {
		config engine.Config
		change func(*engine.NewFeedImport)
		code   engine.Code
		want   string
	}{
		"no url":           {engine.Config{}, func(n *engine.NewFeedImport) { n.URL = "" }, engine.CodeInvalid, "url is required."},
		"not an http url":  {engine.Config{}, func(n *engine.NewFeedImport) { n.URL = "feed:x" }, engine.CodeInvalid, "url must be a valid http or https address."},
		"a bad limit":      {engine.Config{}, func(n *engine.NewFeedImport) { n.Limit = -1 }, engine.CodeInvalid, "limit must be at least 0."},
		"an unknown space": {engine.Config{}, func(n *engine.NewFeedImport) { n.SpaceID = "nowhere" }, engine.CodeNotFound, "No space with this id was found."},
		"not a feed": {engine.Config{Feeds: reads(func() (podcast.Feed, error) {
			return podcast.Feed{}, engine.Errorf(engine.CodeUnprocessable, "", "The url leads to no feed.")
		})}, func(*engine.NewFeedImport) {}, engine.CodeUnprocessable, "The url leads to no feed."},
		"a private feed": {engine.Config{Feeds: reads(func() (podcast.Feed, error) {
			return podcast.Feed{}, engine.Errorf(engine.CodeNotPublic, "", "no")
		})}, func(*engine.NewFeedImport) {}, engine.CodeNotPublic, "url must resolve to a public address"},
		"no storage": {engine.Config{StorageHardLimit: 5}, func(*engine.NewFeedImport) {}, engine.CodeStorageLimit, "storage limit exceeded"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.config.Feeds == nil {
				c.config.Feeds = reads(func() (podcast.Feed, error) {
					return podcast.Feed{Items: []podcast.Item{feedItem("a")}}, nil
				})
			}
			s := newStage(t, c.config)
			s.upload()
			n := ask
			c.change(&n)
			_, err := s.ImportFeed(t.Context(), s.caller, n)
			requireCode(t, c.code, err)
			require.Equal(t, c.want, engine.Message(err))
			require.NoError(t, s.store.View(t.Context(), func(tx engine.ReadTx) error {
				_, ok, err := tx.NextJobAt([]queue.Class{queue.ClassImport}, nil)
				require.False(t, ok)
				return err
			}))
		})
	}
	s := newStage(t, engine.Config{})
	_, err := s.ImportFeed(t.Context(), s.caller, ask)
	requireCode(t, engine.CodeUnavailable, err)
}
