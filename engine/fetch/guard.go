package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"syscall"

	"code.dny.dev/ssrf"

	"github.com/soundstage-dev/soundstage/engine"
)

// metadata6 lists where clouds hand out credentials at addresses that are private and not link-local: AWS (instances, EKS),
// Google, Oracle and Scaleway. Sources: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html,
// https://docs.aws.amazon.com/eks/latest/userguide/pod-id-agent-setup.html, and what the other clouds' own tools ask.
var metadata6 = []netip.Prefix{
	netip.MustParsePrefix("fd00:ec2::/32"),
	netip.MustParsePrefix("fd20:ce::254/128"),
	netip.MustParsePrefix("fd00:c1::a9fe:a9fe/128"),
	netip.MustParsePrefix("fd00:42::42/128"),
}

// guard decides which connections are made.
type guard struct {
	private  bool
	guardian *ssrf.Guardian // of ports and addresses
	ports    []uint16       // nil means any
}

func newGuard(cfg Config) guard {
	g := guard{private: cfg.AllowPrivate, ports: slices.Clone(cfg.AllowPorts)}
	if g.ports == nil && !g.private {
		g.ports = []uint16{80, 443, 8080, 8443}
	}
	var four, six []netip.Prefix
	for _, p := range cfg.AllowPrefixes {
		if p.Addr().Is4() {
			four = append(four, p)
		} else {
			six = append(six, p)
		}
	}
	g.guardian = ssrf.New(ssrf.WithPorts(g.ports...), ssrf.WithDeniedV4Prefixes(azure),
		ssrf.WithAllowedV4Prefixes(four...), ssrf.WithAllowedV6Prefixes(six...))
	return g
}

// control is for net.Dialer.ControlContext, which runs it for each address that a name resolved to, after the socket was
// made and before it connects.
func (g guard) control(_ context.Context, network, address string, _ syscall.RawConn) error {
	if network != "tcp4" && network != "tcp6" {
		return notPublic(network + " " + address)
	}
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return notPublic(address)
	}
	return g.permit(to)
}

// literal checks an address that needs no resolving, so that the answer is the same on a machine without IPv6, where the
// dialer would fail before it asks control.
func (g guard) literal(address string) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return nil // a name
	}
	return g.permit(to)
}

func (g guard) permit(to netip.AddrPort) error {
	ip, ok := plain(to.Addr())
	if !ok {
		return notPublic(to.String())
	}
	err := g.guardian.SafeAddrPort(netip.AddrPortFrom(ip, to.Port()))
	if err != nil && !(errors.Is(err, ssrf.ErrProhibitedIP) && g.allowsPrivate(ip)) {
		return notPublic(to.String())
	}
	return nil
}

func (g guard) allowsPort(port uint16) bool {
	return g.ports == nil || slices.Contains(g.ports, port)
}

func (g guard) allowsAddr(ip netip.Addr) bool {
	ip, ok := plain(ip)
	return ok && (g.guardian.SafeAddr(ip) == nil || g.allowsPrivate(ip))
}

// allowsPrivate is own code, because code.dny.dev/ssrf looks at allowed prefixes before denied ones: it can't allow fd00::/8 without the
// metadata services in it.
func (g guard) allowsPrivate(ip netip.Addr) bool {
	return g.private && (ip.IsLoopback() || ip.IsPrivate()) && !within(metadata6, ip)
}

// notPublic is the one sentence for every refused address (service.md, POST /v1/imports), so that it tells nothing about
// the network behind it.
func notPublic(address string) *engine.Error {
	return engine.Errorf(engine.CodeNotPublic, op, "url must resolve to a public address").
		Because(fmt.Errorf("%s is refused", address))
}
