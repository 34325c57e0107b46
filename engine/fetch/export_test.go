package fetch

import (
	"context"
	"net"
	"net/url"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Redial redirects every connection of c to address.
func (c *Client) Redial(address string) {
	guarded := c.transport.DialContext
	c.transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) { return guarded(ctx, network, address) }
}

// NewProxy starts a proxy, and returns its URL and a function that closes it.
func NewProxy(t *testing.T, cfg Config) (*url.URL, func()) {
	t.Helper()
	cfg = cfg.withDefaults()
	p, err := newProxy(cfg, newGuard(cfg))
	require.NoError(t, err)
	end := sync.OnceFunc(p.close)
	t.Cleanup(end)
	return p.url, end
}
