package fetch

import (
	"crypto/x509"
	"net"
	"net/netip"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// Config says what may be reached and how long is waited. The zero value reaches public addresses only.
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
	Clock    engine.Clock   // of the pauses before a download is resumed, and of dates in Retry-After; the system's when nil
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
		c.Clock = systemClock{}
	}
	return c
}

// systemClock is the machine's clock.
type systemClock struct{}

func (systemClock) Now() time.Time                        { return time.Now() }
func (systemClock) NewTimer(d time.Duration) engine.Timer { return systemTimer{time.NewTimer(d)} }

type systemTimer struct{ *time.Timer }

func (t systemTimer) C() <-chan time.Time { return t.Timer.C }
