package fetch

import (
	"crypto/x509"
	"net"
	"net/netip"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// Config controls which addresses may be reached and how long to wait. The zero value allows only public addresses.
type Config struct {
	MaxBytes      int64         // size limit of a download; 10·10⁹ when 0
	HeaderTimeout time.Duration // from the request to the end of the response headers, for each hop; 20 s when 0
	DialTimeout   time.Duration // to resolve and connect, and again for the TLS handshake, for each hop; 10 s when 0
	IdleTimeout   time.Duration // between two reads of the body; 30 s when 0

	// A download may take WallTimeout (10 minutes when 0), or its size divided by MinRate (256 KiB/s when 0) if that is
	// longer. When the server doesn't announce the size, the bytes received so far count.
	WallTimeout time.Duration
	MinRate     int64 // bytes per second

	// AllowPorts lists the ports that may be connected to. When nil, they are 80, 443, 8080, and 8443, so that nobody can
	// use the client to scan ports; with AllowPrivate, any port.
	AllowPorts []uint16
	// AllowPrivate allows loopback and private addresses (RFC 1122, RFC 1918, RFC 4193). Use it for tests, and for
	// sandboxes whose users can reach those addresses anyway. Link-local addresses, where clouds serve credentials, stay
	// blocked.
	AllowPrivate bool
	// AllowPrefixes allows some addresses that are not public, such as your own media server.
	AllowPrefixes []netip.Prefix

	// Own are addresses on which the embedding program listens. They are never reached, even when other private ones are, so
	// that no webhook can control the program. An unspecified IP, such as 0.0.0.0, means every address of this machine.
	Own []netip.AddrPort

	Resolver *net.Resolver  // the system resolver when nil
	RootCAs  *x509.CertPool // trusted certificate authorities; the system pool when nil
	Clock    engine.Clock   // for pauses before a resume, and for dates in Retry-After; the system clock when nil
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
	if c.Clock == nil {
		c.Clock = queue.SystemClock()
	}
	return c
}
