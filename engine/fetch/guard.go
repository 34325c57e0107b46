package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"code.dny.dev/ssrf"

	"github.com/soundstage-dev/soundstage/engine"
)

// metadata6 lists private IPv6 addresses, not link-local, at which clouds serve credentials: AWS (instances, EKS),
// Google, Oracle, and Scaleway. Sources:
// https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html,
// https://docs.aws.amazon.com/eks/latest/userguide/pod-id-agent-setup.html, and the other clouds' own tools.
var metadata6 = []netip.Prefix{
	netip.MustParsePrefix("fd00:ec2::/32"),
	netip.MustParsePrefix("fd20:ce::254/128"),
	netip.MustParsePrefix("fd00:c1::a9fe:a9fe/128"),
	netip.MustParsePrefix("fd00:42::42/128"),
}

// guard decides which addresses and ports may be connected to.
type guard struct {
	private bool
	policy  *ssrf.Guardian // checks addresses and ports
	ports   []uint16       // nil means any
	own     []netip.AddrPort
}

func newGuard(cfg Config) guard {
	g := guard{private: cfg.AllowPrivate, ports: slices.Clone(cfg.AllowPorts), own: slices.Clone(cfg.Own)}
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
	g.policy = ssrf.New(ssrf.WithPorts(g.ports...), ssrf.WithDeniedV4Prefixes(azure),
		ssrf.WithAllowedV4Prefixes(four...), ssrf.WithAllowedV6Prefixes(six...))
	return g
}

// control implements net.Dialer.ControlContext. The dialer calls it for each resolved address, after it creates the
// socket and before it connects.
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

// checkLiteral checks an address that needs no resolving. Without it, the error would differ on a machine without IPv6, where
// the dialer fails before it calls control.
func (g guard) checkLiteral(address string) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return nil //nolint:nilerr // the address has a name
	}
	return g.permit(to)
}

func (g guard) permit(to netip.AddrPort) error {
	ip, ok := unmapped(to.Addr())
	if !ok || g.isOwn(netip.AddrPortFrom(ip, to.Port())) {
		return notPublic(to.String())
	}
	err := g.policy.SafeAddrPort(netip.AddrPortFrom(ip, to.Port()))
	if err != nil && !(errors.Is(err, ssrf.ErrProhibitedIP) && g.allowsPrivate(ip)) {
		return notPublic(to.String())
	}
	return nil
}

// isOwn reports whether the embedding program listens on an address.
func (g guard) isOwn(to netip.AddrPort) bool {
	return slices.ContainsFunc(g.own, func(own netip.AddrPort) bool {
		ip := own.Addr().Unmap().WithZone("")
		return own.Port() == to.Port() && (ip == to.Addr() || ip.IsUnspecified() && isLocal(to.Addr()))
	})
}

// isLocal reports whether an address is one of this machine.
func isLocal(ip netip.Addr) bool {
	if ip.IsLoopback() {
		return true
	}
	addresses, err := net.InterfaceAddrs()
	return err != nil || slices.ContainsFunc(addresses, func(a net.Addr) bool {
		prefix, err := netip.ParsePrefix(a.String())
		return err == nil && prefix.Addr().Unmap().WithZone("") == ip
	})
}

func (g guard) allowsPort(port uint16) bool {
	return g.ports == nil || slices.Contains(g.ports, port)
}

// allowedPorts lists the allowed ports for a sentence.
func (g guard) allowedPorts() string {
	ports := make([]string, len(g.ports))
	for i, p := range g.ports {
		ports[i] = strconv.Itoa(int(p))
	}
	if len(ports) < 3 {
		return strings.Join(ports, " or ")
	}
	last := len(ports) - 1
	return strings.Join(ports[:last], ", ") + ", or " + ports[last]
}

func (g guard) allowsAddr(ip netip.Addr) bool {
	ip, ok := unmapped(ip)
	return ok && (g.policy.SafeAddr(ip) == nil || g.allowsPrivate(ip))
}

// allowsPrivate is our own code because code.dny.dev/ssrf checks allowed prefixes before denied ones: it can't allow
// fd00::/8 and deny the metadata services in it.
func (g guard) allowsPrivate(ip netip.Addr) bool {
	return g.private && (ip.IsLoopback() || ip.IsPrivate()) && !containsIP(metadata6, ip)
}

// notPublic returns the one error for every blocked address (specification, "POST /v1/imports"). It reveals nothing about
// the network.
func notPublic(address string) *engine.Error {
	return engine.Errorf(engine.CodeNotPublic, op, "url must resolve to a public address").
		Because(fmt.Errorf("%s is blocked", address))
}
