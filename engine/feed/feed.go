// Package feed reads podcast feeds: RSS 2.0 with iTunes tags and Atom. Their elements are parsed by github.com/mmcdole/gofeed;
// this package says which of them make an episode, and keeps hostile documents away from it: text.go (encodings), bounds.go
// (how large and deep a document may be), rss.go and atom.go (the two vocabularies), item.go (what an episode is).
package feed

import (
	"bytes"
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

const op = "ReadFeed"

// MaxSize is the largest feed, in bytes.
const MaxSize = 8 << 20

// accepted is what is asked for, the most welcome first.
const accepted = "application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5"

// Reader reads feeds that a Fetcher downloads.
type Reader struct{ fetcher engine.Fetcher }

var _ engine.FeedReader = (*Reader)(nil)

// New returns a Reader.
func New(f engine.Fetcher) *Reader { return &Reader{fetcher: f} }

// ReadFeed downloads and parses a feed of MaxSize bytes at most; see engine.FeedReader. Relative addresses in it are taken
// from where it came from in the end. CodeTooLarge when it is larger; the other Codes of its download are the Fetcher's, but
// that a web page is CodeUnprocessable.
func (r *Reader) ReadFeed(ctx context.Context, address string) (engine.Feed, error) {
	var doc bytes.Buffer
	info, err := r.fetcher.Fetch(ctx, engine.FetchRequest{URL: address, MaxSize: MaxSize, Header: map[string]string{"Accept": accepted}}, &doc)
	var page interface{ WebPage() bool }
	if errors.As(err, &page) && page.WebPage() {
		return engine.Feed{}, isPage().Because(err)
	}
	if err != nil {
		return engine.Feed{}, err
	}
	if ctx.Err() != nil {
		return engine.Feed{}, engine.Errorf(engine.CodeCanceled, op, "The operation was canceled.").Because(ctx.Err())
	}
	return Parse(doc.Bytes(), info.URL)
}

// Parse reads a feed that came from an address. CodeUnprocessable when it is none, or none that can be read in reasonable
// time; CodeTooLarge beyond MaxSize. Items keep their order; those without media are left out.
func Parse(doc []byte, from string) (engine.Feed, error) {
	if len(doc) > MaxSize {
		return engine.Feed{}, engine.Errorf(engine.CodeTooLarge, op, "The feed is larger than %d bytes.", MaxSize)
	}
	base, err := url.Parse(from)
	if err != nil {
		return engine.Feed{}, engine.Errorf(engine.CodeInvalid, op, "url is not a valid address.")
	}
	text, err := toUTF8(doc)
	if err != nil {
		return engine.Feed{}, err
	}
	root, err := bound(text)
	if err != nil {
		return engine.Feed{}, err
	}
	switch strings.ToLower(root) {
	case "rss", "rdf":
		return parseRSS(text, base)
	case "feed":
		return parseAtom(text, base)
	case "html":
		return engine.Feed{}, isPage()
	}
	return engine.Feed{}, isNone(nil)
}

func isPage() *engine.Error {
	return engine.Errorf(engine.CodeUnprocessable, op, "The address leads to a web page and not to a podcast feed.").
		WithHint("Use the address of the show's RSS or Atom feed.")
}

func isNone(err error) *engine.Error {
	return engine.Errorf(engine.CodeUnprocessable, op, "The address does not lead to a podcast feed (RSS or Atom).").Because(err)
}

func isBroken(err error) *engine.Error {
	return engine.Errorf(engine.CodeUnprocessable, op, "The podcast feed is broken: it is no well-formed XML.").Because(err)
}
