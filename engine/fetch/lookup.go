package fetch

import (
	"context"
	"net/netip"
	"net/url"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// lookupTimeout bounds how long a name is looked up before anything is downloaded.
const lookupTimeout = 3 * time.Second

// lookup refuses a checked URL whose host is, or resolves to, an address that may not be connected to. A host that can't be
// resolved now is no error. It is there to tell users early; a name may resolve to something else the next time, so that
// what protects is control.
func (g guard) lookup(ctx context.Context, cfg Config, u *url.URL) error {
	if ip, err := netip.ParseAddr(u.Hostname()); err == nil {
		return g.permit(netip.AddrPortFrom(ip, portOf(u)))
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
		if err := g.permit(netip.AddrPortFrom(ip, portOf(u))); err != nil {
			return err
		}
	}
	return nil
}
