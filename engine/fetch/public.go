package fetch

import (
	"net/netip"

	"code.dny.dev/ssrf"
)

// azure is the host agent of Azure. It hands out configuration and is in no registry, so code.dny.dev/ssrf v0.3.0 lets it through. Source:
// https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
var azure = netip.MustParsePrefix("168.63.129.16/32")

// internet refuses what the IANA special-purpose registries list, and all of IPv6 outside of 2000::/3: loopback, unspecified, private,
// shared, link-local, multicast, documentation and reserved addresses, and IPv4 in IPv6 by 6to4, Teredo, NAT64 and ::/96.
var internet = ssrf.New(ssrf.WithDeniedV4Prefixes(azure))

// Public reports whether an address is on the public internet, so that connecting to it can't reach what only this machine
// or its network can. An IPv4-mapped address is judged by the IPv4 address in it. An address with a zone never is public.
func Public(ip netip.Addr) bool {
	ip, ok := plain(ip)
	return ok && internet.SafeAddr(ip) == nil
}

// plain prepares an address for code.dny.dev/ssrf v0.3.0, which lets the invalid address through and refuses every IPv4-mapped one, though
// the kernel connects to the IPv4 address in it. Unmap drops a zone, and allowed prefixes are no place for one: it is refused here.
func plain(ip netip.Addr) (netip.Addr, bool) {
	return ip.Unmap(), ip.IsValid() && ip.Zone() == ""
}

func within(ranges []netip.Prefix, ip netip.Addr) bool {
	for _, r := range ranges {
		if r.Contains(ip) {
			return true
		}
	}
	return false
}
