// Package feed reads podcast feeds: RSS 2.0 with iTunes tags, and Atom. Start with New, or with Parse if you have the
// document:
//
//	reader := feed.New(fetch.New(fetch.Config{}))
//	show, err := reader.ReadFeed(ctx, "https://example.com/feed.xml")
//
// The parser is github.com/mmcdole/gofeed. This package decides which elements make an episode, and protects the parser
// from hostile documents: text.go (encodings), bounds.go (size and depth), rss.go and atom.go (the two formats), and
// item.go (episodes).
package feed

import (
	"bytes"
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/podcast"
)

const op = "ReadFeed"

// MaxSize is the size limit of a feed, in bytes.
const MaxSize = 8 << 20

// accepted is the Accept header, in order of preference.
const accepted = "application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5"

// Reader downloads feeds with a Fetcher and parses them.
type Reader struct{ fetcher engine.Fetcher }

var _ engine.FeedReader = (*Reader)(nil)

// New returns a Reader that downloads with f.
func New(f engine.Fetcher) *Reader { return &Reader{fetcher: f} }

// ReadFeed downloads and parses a feed of at most MaxSize bytes; see engine.FeedReader. Relative URLs resolve against the
// final URL, after redirects. A larger feed is CodeTooLarge, and a web page is CodeUnprocessable. Other Codes are the
// Fetcher's.
func (r *Reader) ReadFeed(ctx context.Context, address string) (podcast.Feed, error) {
	var doc bytes.Buffer
	info, err := r.fetcher.Fetch(ctx, engine.FetchRequest{URL: address, MaxSize: MaxSize, Header: map[string]string{"Accept": accepted}}, &doc)
	var page interface{ WebPage() bool }
	if errors.As(err, &page) && page.WebPage() {
		return podcast.Feed{}, isPage().Because(err)
	}
	if err != nil {
		return podcast.Feed{}, err
	}
	if ctx.Err() != nil {
		return podcast.Feed{}, engine.Errorf(engine.CodeCanceled, op, "The operation was canceled.").Because(ctx.Err())
	}
	return parse(doc.Bytes(), info.URL, info.Charset)
}

// Parse parses a feed; relative URLs resolve against from. It returns CodeUnprocessable if the document is not a feed or
// exceeds the limits, and CodeTooLarge beyond MaxSize. Items keep their order; items without media are omitted.
func Parse(doc []byte, from string) (podcast.Feed, error) { return parse(doc, from, "") }

// parse is Parse for a document with the encoding that the server named, "" for none.
func parse(doc []byte, from, charset string) (podcast.Feed, error) {
	if len(doc) > MaxSize {
		return podcast.Feed{}, engine.Errorf(engine.CodeTooLarge, op, "The feed is larger than %d bytes.", MaxSize)
	}
	base, err := url.Parse(from)
	if err != nil {
		return podcast.Feed{}, engine.Errorf(engine.CodeInvalid, op, "url is not a valid URL.")
	}
	text, err := toUTF8(doc, charset)
	if err != nil {
		return podcast.Feed{}, err
	}
	root, err := checkLimits(text)
	if err != nil {
		return podcast.Feed{}, err
	}
	switch strings.ToLower(root) {
	case "rss", "rdf":
		return parseRSS(text, base)
	case "feed":
		return parseAtom(text, base)
	case "html":
		return podcast.Feed{}, isPage()
	}
	return podcast.Feed{}, notFeed(nil)
}

func isPage() *engine.Error {
	return engine.Errorf(engine.CodeUnprocessable, op, "The URL leads to a web page, not to a podcast feed.").
		WithHint("Use the URL of the show's RSS or Atom feed.")
}

func notFeed(err error) *engine.Error {
	return engine.Errorf(engine.CodeUnprocessable, op, "The URL does not lead to a podcast feed (RSS or Atom).").Because(err)
}

func notWellFormed(err error) *engine.Error {
	return engine.Errorf(engine.CodeUnprocessable, op, "The podcast feed is not well-formed XML.").Because(err)
}
