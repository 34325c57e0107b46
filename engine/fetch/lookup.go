package fetch

import (
	"context"
	"net/netip"
	"net/url"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// lookupTimeout bounds how long a name is looked up before anything is downloaded.
const lookupTimeout = 750 * time.Millisecond

// admit says whether a URL may be downloaded or sent to: first whether its address is public, then whether its port is allowed,
// so that who means a server of their own machine is told of that.
func (g guard) admit(ctx context.Context, cfg Config, raw string) error {
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

// lookup refuses a checked URL whose host is, or resolves to, an address that may not be connected to. A host that can't be
// resolved now is no error. It is there to tell users early; a name may resolve to something else the next time, so that
// what protects is control.
func (g guard) lookup(ctx context.Context, cfg Config, u *url.URL) error {
	if ip, err := netip.ParseAddr(u.Hostname()); err == nil {
		return g.public(ip)
	}
	limited, cancel := context.WithTimeout(ctx, min(cfg.DialTimeout, lookupTimeout))
	defer cancel()
	addresses, err := cfg.Resolver.LookupNetIP(limited, "ip", u.Hostname())
	if ctx.Err() != nil {
		return engine.Errorf(engine.CodeCanceled, op, "The operation was canceled.").Because(ctx.Err())
	}
	if err != nil {
		return nil // Fetch will say why
	}
	for _, ip := range addresses {
		if err := g.public(ip); err != nil {
			return err
		}
	}
	return nil
}

func (g guard) public(ip netip.Addr) error {
	if !g.allowsAddr(ip) {
		return notPublic(ip.String())
	}
	return nil
}
