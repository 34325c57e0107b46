package podcast_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/podcast"
)

func in(year int) *time.Time {
	t := time.Date(year, 6, 1, 0, 0, 0, 0, time.UTC)
	return &t
}

// Items are sorted by date, newest first. Items without a usable date keep their order and come last. The limit cuts after sorting.
func TestNewest(t *testing.T) {
	t.Parallel()
	items := []podcast.Item{
		{GUID: "none"}, {GUID: "2001", PublishedAt: in(2001)}, {GUID: "1899", PublishedAt: in(1899)}, {GUID: "2003", PublishedAt: in(2003)},
		{GUID: "9999", PublishedAt: in(9999)}, {GUID: "2001b", PublishedAt: in(2001)}, {GUID: "1900", PublishedAt: in(1900)}, {GUID: "9998", PublishedAt: in(9998)},
	}
	for limit, want := range map[int][]string{
		0: {"9998", "2003", "2001", "2001b", "1900", "none", "1899", "9999"},
		1: {"9998"},
		2: {"9998", "2003"},
		8: {"9998", "2003", "2001", "2001b", "1900", "none", "1899", "9999"},
		9: {"9998", "2003", "2001", "2001b", "1900", "none", "1899", "9999"},
	} {
		var got []string
		for _, item := range podcast.Newest(items, limit) {
			got = append(got, item.GUID)
		}
		require.Equal(t, want, got)
	}
	require.Equal(t, "none", items[0].GUID, "the argument must not change")
	require.Empty(t, podcast.Newest(nil, 3))
}

// A key depends on the address, without surrounding white space, and on the GUID, and on where one ends.
func TestKey(t *testing.T) {
	t.Parallel()
	key := podcast.Key("https://feed.example/a", "b")
	require.Len(t, key, 64)
	require.Equal(t, key, podcast.Key(" https://feed.example/a\n", "b"))
	for _, other := range []string{podcast.Key("https://feed.example/a", "c"), podcast.Key("https://feed.example/", "ab"), podcast.Key("https://feed.example/a:", "b")} {
		require.NotEqual(t, key, other)
	}
}

// Numbers from 0 are kept; negative and missing ones are nil.
func TestOrdinal(t *testing.T) {
	t.Parallel()
	for n, ok := range map[int]bool{-1: false, 0: true, 7: true} {
		require.Equal(t, ok, podcast.Ordinal(&n) != nil)
	}
	require.Nil(t, podcast.Ordinal(nil))
}
