package fetch

import (
	"context"
	"net/netip"
	"net/url"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// lookupTimeout limits the early lookup of a name.
const lookupTimeout = 750 * time.Millisecond

// checkAddress reports whether a URL may be downloaded or sent to. It checks the address before the port, so that the error for
// a local server is about its address.
func (g guard) checkAddress(ctx context.Context, cfg Config, raw string) error {
	u, err := CheckURL(raw)
	if err != nil {
		return err
	}
	if err := g.lookup(ctx, cfg, u); err != nil {
		return err
	}
	_, err = g.check(raw)
	return err
}

// lookup refuses a checked URL whose host is, or resolves to, a blocked address. A host that doesn't resolve is not an
// error. It only gives users an early error: a name may resolve to something else the next time, so control is what
// protects.
func (g guard) lookup(ctx context.Context, cfg Config, u *url.URL) error {
	if ip, err := netip.ParseAddr(u.Hostname()); err == nil {
		return g.public(ip, portOf(u))
	}
	limited, cancel := context.WithTimeout(ctx, min(cfg.DialTimeout, lookupTimeout))
	defer cancel()
	addresses, err := cfg.Resolver.LookupNetIP(limited, "ip", u.Hostname())
	if ctx.Err() != nil {
		return engine.Errorf(engine.CodeCanceled, op, "The operation was canceled.").Because(ctx.Err())
	}
	if err != nil {
		return nil // Fetch reports it
	}
	for _, ip := range addresses {
		if err := g.public(ip, portOf(u)); err != nil {
			return err
		}
	}
	return nil
}

func (g guard) public(ip netip.Addr, port uint16) error {
	if !g.allowsAddr(ip) || g.isOwn(netip.AddrPortFrom(ip.Unmap(), port)) {
		return notPublic(ip.String())
	}
	return nil
}
