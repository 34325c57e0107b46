// Package podcast describes podcast feeds: their items, the order in which the items are imported, and how an item is identified.
//
// A FeedReader of package engine returns a Feed. Newest chooses the items to import:
//
//	for _, item := range podcast.Newest(feed.Items, 10) { … }
package podcast
