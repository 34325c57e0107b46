package engine

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/input"
)

// newestItems returns at most limit items, 0 for all, newest first.
func newestItems(items []FeedItem, limit int) []FeedItem {
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b FeedItem) int {
		switch at, bt := itemDate(a), itemDate(b); {
		case at == nil && bt == nil:
			return 0
		case at == nil:
			return 1
		case bt == nil:
			return -1
		default:
			return bt.Compare(*at)
		}
	})
	if limit > 0 && len(items) > limit {
		items = items[:limit]
	}
	return items
}

// itemDate is the date of an item, if it is one that every store and JSON can hold.
func itemDate(item FeedItem) *time.Time {
	if at := item.PublishedAt; at != nil && at.UTC().Year() >= 1900 && at.UTC().Year() <= 9998 {
		return at
	}
	return nil
}

// feedItemKey names an item of a feed: the hash of both parts, whose lengths tell where one ends.
func feedItemKey(feed, guid string) string {
	feed = strings.TrimSpace(feed)
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%d:%s:%s", len(feed), feed, guid)))
}

// newItemImport is the import of one item.
func (e *Engine) newItemImport(c Caller, space Space, key string, item FeedItem, at time.Time) Import {
	i := e.newImport(c, strings.ToValidUTF8(item.URL, "\uFFFD"), input.Title(item.Title), at)
	i.SpaceID, i.AccountID, i.FeedItem, i.PublishedAt = space.ID, space.AccountID, key, itemDate(item)
	i.EpisodeNumber, i.SeasonNumber = ordinal(item.EpisodeNumber), ordinal(item.SeasonNumber)
	i.RSS = &RSS{GUID: strings.ToValidUTF8(item.GUID, "\uFFFD"), PublishedAt: at, EpisodeNumber: i.EpisodeNumber}
	if i.PublishedAt != nil {
		i.RSS.PublishedAt = *i.PublishedAt
	}
	return i
}

// ordinal is a number of an episode or a season; nil when it is none.
func ordinal(n *int) *int {
	if n == nil || *n < 0 {
		return nil
	}
	return n
}
