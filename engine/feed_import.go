package engine

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/input"
	"github.com/soundstage-dev/soundstage/engine/podcast"
)

// NewFeedImport is the request to import a podcast feed.
type NewFeedImport struct {
	URL     string  // required; http or https
	SpaceID SpaceID // default the caller's default space
	Limit   int     // use only the newest Limit items; 0 for all
}

// FeedImport is the result of ImportFeed.
type FeedImport struct {
	Title   string   // of the feed
	Imports []Import // one for each new item, oldest item first
	Skipped int      // items that are imported already or being imported
}

// Validate returns what is wrong with the request, as CodeInvalid.
func (n NewFeedImport) Validate() error {
	const op = "ImportFeed"
	if n.Limit < 0 {
		return Errorf(CodeInvalid, op, "limit must be at least 0.")
	}
	return input.CheckURL(op, n.URL)
}

// ImportFeed queues an import for each item of a feed that the space doesn't have yet, all or none. An item is identified by the feed's
// address and its GUID. Calling ImportFeed again, also concurrently, imports nothing twice, but retries items that ended in ImportError
// or ImportCanceled.
//
// Limit counts items, not imports, so that a second call on the same feed does nothing. Items are sorted newest first; those without a
// date come last, in the feed's order. Imports are queued oldest first; recordings are numbered when their download ends. The address of
// an item is checked when its import runs, so that a bad address fails only that import.
//
// A recording gets the item's title, date, and numbers, and its RSS. RSS.PublishedAt is the time of the import if the item has no date.
//
// Errors: those of CreateImport and of FeedReader.
func (e *Engine) ImportFeed(ctx context.Context, c Caller, n NewFeedImport) (FeedImport, error) {
	const op = "ImportFeed"
	if err := n.Validate(); err != nil {
		return FeedImport{}, err
	}
	if err := e.canImport(op); err != nil {
		return FeedImport{}, err
	}
	if e.feeds == nil {
		return FeedImport{}, Errorf(CodeUnavailable, op, "Imports of feeds are not configured.").WithHint("Set Config.Feeds.")
	}
	feed, err := e.feeds.ReadFeed(ctx, n.URL)
	if err != nil {
		return FeedImport{}, wrap(op, publicOnly(err))
	}
	items := podcast.Newest(feed.Items, n.Limit)
	slices.Reverse(items)
	var out FeedImport
	err = e.update(ctx, func(tx Tx) error {
		space, err := importSpace(tx, c, n.SpaceID)
		if err != nil {
			return err
		}
		out = FeedImport{Title: input.Title(feed.Title)}
		now := e.now()
		for _, item := range items {
			key := podcast.Key(n.URL, item.GUID)
			if known, err := isImported(tx, space.ID, key); err != nil {
				return err
			} else if known {
				out.Skipped++
				continue
			}
			i := e.newItemImport(c, space, key, item, e.created("import"))
			// One microsecond apart, so that the queue keeps the order.
			if err := e.queueItem(tx, &i, now.Add(time.Duration(len(out.Imports))*time.Microsecond)); err != nil {
				return err
			}
			out.Imports = append(out.Imports, i)
		}
		return nil
	})
	if err != nil {
		return FeedImport{}, wrap(op, err)
	}
	return out, nil
}

// isImported reports whether a space has an import of a feed item that hasn't failed or been canceled.
func isImported(tx ReadTx, space SpaceID, item string) (bool, error) {
	imports, err := tx.ImportsOfItem(space, item)
	return slices.ContainsFunc(imports, func(i Import) bool {
		return i.Status != ImportError && i.Status != ImportCanceled
	}), err
}

// newItemImport returns the import of one item.
func (e *Engine) newItemImport(c Caller, space Space, key string, item podcast.Item, at time.Time) Import {
	i := e.newImport(c, strings.ToValidUTF8(item.URL, "\uFFFD"), input.Title(item.Title), at)
	i.SpaceID, i.AccountID, i.FeedItem, i.PublishedAt = space.ID, space.AccountID, key, item.Date()
	i.EpisodeNumber, i.SeasonNumber = podcast.Ordinal(item.EpisodeNumber), podcast.Ordinal(item.SeasonNumber)
	i.RSS = &RSS{GUID: strings.ToValidUTF8(item.GUID, "\uFFFD"), PublishedAt: at, EpisodeNumber: i.EpisodeNumber}
	if i.PublishedAt != nil {
		i.RSS.PublishedAt = *i.PublishedAt
	}
	return i
}

// queueItem queues the import of an item for a time, or writes a failed import when its URL is not usable.
func (e *Engine) queueItem(tx Tx, i *Import, due time.Time) error {
	if input.UsableURL(i.URL) {
		return e.queueImport(tx, *i, due)
	}
	i.Error, i.ErrorCode, i.ErrorRule, i.URL = input.BadURL, CodeInvalid, "url.invalid", strings.ToValidUTF8(i.URL[:min(len(i.URL), input.MaxURL)], "")
	if err := i.apply(ImportFailed); err != nil {
		return err
	}
	return tx.PutImport(*i)
}
