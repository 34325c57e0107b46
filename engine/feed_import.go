package engine

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/input"
)

// NewFeedImport is the request to import a podcast feed.
type NewFeedImport struct {
	URL     string  // required; http or https
	SpaceID SpaceID // default the caller's default space
	Limit   int     // look at the newest so many items only; 0 for all
}

// FeedImport is what ImportFeed has begun.
type FeedImport struct {
	Title   string   // of the feed
	Imports []Import // one for each new item, oldest item first
	Skipped int      // items that are imported already, or on their way
}

// Validate reports what is wrong with the request, as CodeInvalid.
func (n NewFeedImport) Validate() error {
	const op = "ImportFeed"
	if n.Limit < 0 {
		return Errorf(CodeInvalid, op, "limit must be at least 0.")
	}
	return input.CheckURL(op, n.URL)
}

// ImportFeed queues an import for each item of a feed that the space doesn't have yet, all or none. An item is known by the feed's
// address and its GUID: asked again, in turn or at once, ImportFeed imports nothing twice, but tries again what ended in ImportError
// or ImportCanceled. Limit counts items, not imports, so that the same call on the same feed does nothing the second time. Items
// are newest first by their dates; those without one come after, in the feed's order. Imports are queued oldest first; numbers are
// given when a download is done. The address of an item is checked when its import runs: a bad one fails that import only.
//
// A recording gets the item's title, date and numbers, and its RSS, whose PublishedAt is the time of the import where the item has none.
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
	items := newestItems(feed.Items, n.Limit)
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
			key := feedItemKey(n.URL, item.GUID)
			if known, err := isImported(tx, space.ID, key); err != nil {
				return err
			} else if known {
				out.Skipped++
				continue
			}
			// A microsecond apart, so that the queue keeps the order.
			i := e.newItemImport(c, space, key, item, now.Add(time.Duration(len(out.Imports))*time.Microsecond))
			if err := e.queueItem(tx, &i); err != nil {
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

// isImported reports whether a space has an item of a feed, or an import of it that hasn't failed.
func isImported(tx ReadTx, space SpaceID, item string) (bool, error) {
	imports, err := tx.ImportsOfItem(space, item)
	return slices.ContainsFunc(imports, func(i Import) bool {
		return i.Status != ImportError && i.Status != ImportCanceled
	}), err
}

// queueItem queues the import of an item, or writes its end when the item's URL is none.
func (e *Engine) queueItem(tx Tx, i *Import) error {
	if input.UsableURL(i.URL) {
		return e.queueImport(tx, *i)
	}
	i.Error, i.ErrorRule, i.URL = input.BadURL, "url.invalid", strings.ToValidUTF8(i.URL[:min(len(i.URL), input.MaxURL)], "")
	if err := i.apply(ImportFailed); err != nil {
		return err
	}
	return tx.PutImport(*i)
}
