package fetch

import (
	"context"
	"io"
	"net/http"
	"net/url"

	"github.com/soundstage-dev/soundstage/engine"
)

const op = "Fetch"

// UserAgent is the User-Agent that Client and Sender send.
const UserAgent = "Soundstage/1"

// Client downloads media. It is safe for concurrent use, and keeps no connection, cookie, or other state between
// downloads.
type Client struct {
	cfg       Config
	guard     guard
	transport *http.Transport
}

var _ engine.Fetcher = (*Client)(nil)

// New returns a Client that follows cfg.
func New(cfg Config) *Client {
	cfg = cfg.withDefaults()
	g := newGuard(cfg)
	return &Client{cfg: cfg, guard: g, transport: cfg.transport(g)}
}

// Check reports whether url may be downloaded; see engine.Fetcher. It looks a name up once, for at most 750 ms, and
// refuses a name if any of its addresses is not public. Fetch checks the address again when it connects.
func (c *Client) Check(ctx context.Context, url string) error {
	return c.guard.checkAddress(ctx, c.cfg, url)
}

// Fetch downloads r.URL and writes the body to w; see engine.Fetcher. It may fail after part of the body was written.
// Over HTTP/1.1, it ignores bytes after the announced length (RFC 9112, section 6.3). An error of w is returned with its
// own Code.
//
// These errors are Retryable: timeouts, broken connections, a file that changed during the download, and statuses 408,
// 425, 429, and 5xx. They carry the server's Retry-After. A web page instead of media is CodeDownload.
//
// Fetch resumes a broken download up to five times if the server announced its length and sent either a strong ETag or a
// Last-Modified date that is strong enough. It never writes a byte twice: if the file changed in the meantime, it returns
// an error.
//
// From r.Header, Fetch sends only Accept, Accept-Language, Cookie, Origin, Referer, and User-Agent. Cookie, Origin, and
// Referer go only to the origin of r.URL.
func (c *Client) Fetch(ctx context.Context, r engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
	u, err := c.guard.check(r.URL)
	if err != nil {
		return engine.FetchInfo{}, err
	}
	header, err := allowedHeader(r.Header)
	if err != nil {
		return engine.FetchInfo{}, err
	}
	direct, drive := directLink(u)
	watch := newWatch(ctx, c.cfg)
	defer watch.stop()
	d := &download{
		c: c, watch: watch, w: w, header: header, start: direct, drive: drive, total: -1,
		limit: limitOf(c.cfg.MaxBytes, r.MaxSize), progress: r.Progress,
	}
	return d.run()
}

// limitOf returns the smaller of the client's limit and the request's; a requested limit of 0 means none.
func limitOf(own, asked int64) int64 {
	if asked > 0 {
		return min(own, asked)
	}
	return own
}

// check parses a URL like CheckURL, and checks its port too.
func (g guard) check(raw string) (*url.URL, error) {
	u, err := CheckURL(raw)
	if err != nil {
		return nil, err
	}
	if port := portOf(u); !g.allowsPort(port) {
		return nil, engine.Errorf(engine.CodeInvalid, op, "url uses port %d, which is not allowed: use %s.", port, g.allowedPorts()).WithRule("url.invalid")
	}
	return u, nil
}
