package podcast

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Feed is a podcast feed.
type Feed struct {
	Title string
	Items []Item // in the feed's order
}

// Item is an episode of a feed. A Feed has no items without media.
type Item struct {
	GUID          string // the item's own, else its media's URL; never ""
	Title         string
	URL           string // of the media
	PublishedAt   *time.Time
	EpisodeNumber *int
	SeasonNumber  *int
}

// Newest returns at most limit items, 0 for all, newest first by Date. Items without a date come last, in the given order.
func Newest(items []Item, limit int) []Item {
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b Item) int {
		switch at, bt := a.Date(), b.Date(); {
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

// Date returns PublishedAt, or nil when its year is not from 1900 to 9998, which not every store and JSON parser can hold.
func (i Item) Date() *time.Time {
	if at := i.PublishedAt; at != nil && at.UTC().Year() >= 1900 && at.UTC().Year() <= 9998 {
		return at
	}
	return nil
}

// Key identifies an item by the feed's address and the item's GUID: a hash of both. The length of the address is part of what is
// hashed, so that no two pairs give the same text.
func Key(feed, guid string) string {
	feed = strings.TrimSpace(feed)
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%d:%s:%s", len(feed), feed, guid)))
}

// Ordinal returns the number of an episode or a season, or nil when it is negative.
func Ordinal(n *int) *int {
	if n == nil || *n < 0 {
		return nil
	}
	return n
}
