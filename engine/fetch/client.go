package fetch

import (
	"context"
	"io"
	"net/http"
	"net/url"

	"github.com/soundstage-dev/soundstage/engine"
)

const op = "Fetch"

// UserAgent is how the client names itself.
const UserAgent = "Soundstage/1"

// Client downloads. It is safe for concurrent use, and keeps no connection, cookie or other state between downloads.
type Client struct {
	cfg       Config
	guard     guard
	transport *http.Transport
}

var _ engine.Fetcher = (*Client)(nil)

// New returns a Client.
func New(cfg Config) *Client {
	cfg = cfg.withDefaults()
	g := newGuard(cfg)
	return &Client{cfg: cfg, guard: g, transport: cfg.transport(g)}
}

// Check says whether url may be downloaded; see engine.Fetcher. A name is looked up once, for 750 ms at most: what it leads
// to when it is connected to is checked again then. A name of which one address is not public is refused as a whole.
func (c *Client) Check(ctx context.Context, url string) error {
	return c.guard.admit(ctx, c.cfg, url)
}

// Fetch writes what r.URL names to w; see engine.Fetcher. An error may come after a part was written. Errors that a later
// try may not meet are Retryable: timeouts, broken connections, a file that changed meanwhile, statuses 408, 425, 429 and
// 5xx, with the time for which the server asked to wait. A web page in place of media is CodeDownload. An error of w comes back
// with its own Code. A file is as long as its server announced: over HTTP/1.1 what comes behind that is no part of the answer
// (RFC 9112, section 6.3) and is not read.
//
// A download that breaks off after its first byte is resumed up to five times when the server tells its length and either a
// strong ETag or a date that can stand in for one. Nothing is ever written twice, so that a file which changed meanwhile is an
// error.
//
// Of r.Header only what a browser would say about itself and the page is sent: Accept, Accept-Language, Cookie, Origin,
// Referer and User-Agent; others are left out. Cookie, Origin and Referer go to the origin of r.URL and to no other.
func (c *Client) Fetch(ctx context.Context, r engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
	u, err := c.guard.check(r.URL)
	if err != nil {
		return engine.FetchInfo{}, err
	}
	header, err := askedHeader(r.Header)
	if err != nil {
		return engine.FetchInfo{}, err
	}
	direct, drive := directLink(u)
	watch := newWatch(ctx, c.cfg)
	defer watch.stop()
	d := &download{
		c: c, watch: watch, w: w, header: header, home: direct, drive: drive, total: -1,
		limit: limitOf(c.cfg.MaxBytes, r.MaxSize), progress: r.Progress,
	}
	return d.run()
}

// limitOf returns the smaller of the client's limit and the request's, of which 0 is none.
func limitOf(own, asked int64) int64 {
	if asked > 0 {
		return min(own, asked)
	}
	return own
}

// check is CheckURL and the check of the port.
func (g guard) check(raw string) (*url.URL, error) {
	u, err := CheckURL(raw)
	if err != nil {
		return nil, err
	}
	if port := portOf(u); !g.allowsPort(port) {
		return nil, engine.Errorf(engine.CodeInvalid, op, "url uses port %d, which is not allowed.", port).WithRule("url.invalid")
	}
	return u, nil
}
