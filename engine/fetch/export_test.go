package fetch

import (
	"context"
	"net"
)

// Redial makes c connect to a server of the test wherever it wants to go.
func (c *Client) Redial(address string) {
	guarded := c.transport.DialContext
	c.transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) { return guarded(ctx, network, address) }
}
