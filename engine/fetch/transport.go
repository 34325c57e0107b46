package fetch

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
)

// maxHeaderBytes limits the headers of one response.
const maxHeaderBytes = 64 << 10

// dial is the type of http.Transport.DialContext. All connections of this package are dialled by one, so that the guard
// sees them.
type dial func(ctx context.Context, network, address string) (net.Conn, error)

func (c Config) dial(g guard) dial {
	dialer := &net.Dialer{Timeout: c.DialTimeout, Resolver: c.Resolver, ControlContext: g.control}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if err := g.checkLiteral(address); err != nil {
			return nil, err
		}
		return dialer.DialContext(ctx, network, address)
	}
}

// transport returns a transport that opens a new connection for each request.
func (c Config) transport(g guard) *http.Transport {
	return &http.Transport{
		Proxy:                  nil, // the guard would only see the proxy, not what the proxy connects to
		DialContext:            c.dial(g),
		TLSClientConfig:        &tls.Config{RootCAs: c.RootCAs},
		TLSHandshakeTimeout:    c.DialTimeout,
		ResponseHeaderTimeout:  c.HeaderTimeout,
		MaxResponseHeaderBytes: maxHeaderBytes,
		DisableCompression:     true, // otherwise gzip is decompressed without a limit
		DisableKeepAlives:      true,
		ForceAttemptHTTP2:      true, // a custom DialContext turns it off
	}
}
