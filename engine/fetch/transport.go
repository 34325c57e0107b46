package fetch

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
)

// maxHeaderBytes bounds the headers of one answer.
const maxHeaderBytes = 64 << 10

// dial is for http.Transport.DialContext: every connection of this package is made by it, and so is guarded.
type dial func(ctx context.Context, network, address string) (net.Conn, error)

func (c Config) dial(g guard) dial {
	dialer := &net.Dialer{Timeout: c.DialTimeout, Resolver: c.Resolver, ControlContext: g.control}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if err := g.literal(address); err != nil {
			return nil, err
		}
		return dialer.DialContext(ctx, network, address)
	}
}

// transport makes each request on a connection of its own.
func (c Config) transport(g guard) *http.Transport {
	return &http.Transport{
		Proxy:                  nil, // the guard would only see the proxy, not what the proxy connects to
		DialContext:            c.dial(g),
		TLSClientConfig:        &tls.Config{RootCAs: c.RootCAs},
		TLSHandshakeTimeout:    c.DialTimeout,
		ResponseHeaderTimeout:  c.HeaderTimeout,
		MaxResponseHeaderBytes: maxHeaderBytes,
		DisableCompression:     true, // else gzip is undone without a limit
		DisableKeepAlives:      true,
		ForceAttemptHTTP2:      true, // what a DialContext of our own would turn off
	}
}
