package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

const op = "Fetch"

// UserAgent is how the client names itself.
const UserAgent = "Soundstage/1"

// maxHeaderBytes bounds the headers of one answer.
const maxHeaderBytes = 64 << 10

// Config says what a Client may reach and how long it waits. The zero value reaches public addresses only.
type Config struct {
	MaxBytes      int64         // the largest download; 10·10⁹ when 0
	HeaderTimeout time.Duration // from the request to the end of the answer's headers, at each hop; 20 s when 0
	DialTimeout   time.Duration // to resolve and connect, and again for the TLS handshake, at each hop; 10 s when 0
	IdleTimeout   time.Duration // without a byte of the body; 30 s when 0

	// A download may take WallTimeout, or Size/MinRate when that is longer: 10 minutes and 256 KiB a second when 0. When
	// the server doesn't tell the size, it is what has come so far.
	WallTimeout time.Duration
	MinRate     int64 // bytes per second

	// AllowPorts are the ports that may be connected to. When nil they are 80, 443, 8080 and 8443, on which media are
	// served, so that the client is no scanner of other people's networks; with AllowPrivate, any port.
	AllowPorts []uint16
	// AllowPrivate lets loopback and private addresses be reached (RFC 1122, RFC 1918, RFC 4193): for tests and for
	// sandboxes whose users could reach them anyway. Link-local addresses, where clouds keep credentials, stay refused.
	AllowPrivate bool
	// AllowPrefixes lets some addresses be reached that are not public: the company's own media server.
	AllowPrefixes []netip.Prefix

	Resolver *net.Resolver  // the system's when nil
	RootCAs  *x509.CertPool // whose certificates are believed; the system's when nil
}

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
	c := &Client{cfg: cfg, guard: newGuard(cfg)}
	dialer := &net.Dialer{Timeout: cfg.DialTimeout, Resolver: cfg.Resolver, ControlContext: c.guard.control}
	c.transport = &http.Transport{
		Proxy: nil, // the guard would only see the proxy, not what the proxy connects to
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if err := c.guard.literal(address); err != nil {
				return nil, err
			}
			return dialer.DialContext(ctx, network, address)
		},
		TLSClientConfig:        &tls.Config{RootCAs: cfg.RootCAs},
		TLSHandshakeTimeout:    cfg.DialTimeout,
		ResponseHeaderTimeout:  cfg.HeaderTimeout,
		MaxResponseHeaderBytes: maxHeaderBytes,
		DisableCompression:     true, // else gzip is undone without a limit
		DisableKeepAlives:      true,
		ForceAttemptHTTP2:      true, // what a DialContext of our own would turn off
	}
	return c
}

func (c Config) withDefaults() Config {
	if c.MaxBytes == 0 {
		c.MaxBytes = 10_000_000_000
	}
	if c.HeaderTimeout == 0 {
		c.HeaderTimeout = 20 * time.Second
	}
	if c.DialTimeout == 0 {
		c.DialTimeout = 10 * time.Second
	}
	if c.IdleTimeout == 0 {
		c.IdleTimeout = 30 * time.Second
	}
	if c.WallTimeout == 0 {
		c.WallTimeout = 10 * time.Minute
	}
	if c.MinRate == 0 {
		c.MinRate = 256 << 10
	}
	return c
}

// Fetch writes what url names to w; see engine.Fetcher. An error may come after a part was written. Errors that a later
// try may not meet are Retryable: timeouts, broken connections, statuses 408, 425, 429 and 5xx. A web page in place of
// media is CodeDownload. An error of w comes back with its own Code.
func (c *Client) Fetch(ctx context.Context, r engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
	u, err := c.check(r.URL)
	if err != nil {
		return engine.FetchInfo{}, err
	}
	watch := newWatch(ctx, c.cfg)
	defer watch.stop()
	res, err := c.get(watch, u)
	if err != nil {
		return engine.FetchInfo{}, err
	}
	defer func() { _ = res.Body.Close() }()
	if err := c.acceptable(res); err != nil {
		return engine.FetchInfo{}, err
	}
	info := engine.FetchInfo{
		URL:         res.Request.URL.String(),
		ContentType: mediaType(res.Header),
		Filename:    filename(res.Header, res.Request.URL),
	}
	info.Size, err = copyBody(w, res, watch, c.cfg.MaxBytes)
	if err != nil {
		return engine.FetchInfo{}, err
	}
	return info, nil
}

// Check implements engine.Fetcher.
func (c *Client) Check(_ context.Context, raw string) error {
	_, err := c.check(raw)
	return err
}

// check is CheckURL and the check of the port.
func (c *Client) check(raw string) (*url.URL, error) {
	u, err := CheckURL(raw)
	if err != nil {
		return nil, err
	}
	if port := portOf(u); !c.guard.allowsPort(port) {
		return nil, engine.Errorf(engine.CodeInvalid, op, "url uses port %d, which is not allowed.", port)
	}
	return u, nil
}

// acceptable refuses an answer by its status and headers.
func (c *Client) acceptable(res *http.Response) error {
	switch encoding := strings.Join(res.Header.Values("Content-Encoding"), ", "); {
	case res.StatusCode != http.StatusOK && res.StatusCode != http.StatusNonAuthoritativeInfo:
		return statusFailure(res.StatusCode)
	case !isIdentity(encoding):
		return engine.Errorf(engine.CodeDownload, op, "The server sent the file compressed, although it was asked not to.").
			Because(fmt.Errorf("Content-Encoding: %q", encoding))
	case isPageType(mediaType(res.Header)):
		return pageFailure()
	case res.ContentLength > c.cfg.MaxBytes:
		return tooLarge(c.cfg.MaxBytes)
	}
	return nil
}
