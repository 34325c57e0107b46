package fetch

import (
	"net/netip"

	"code.dny.dev/ssrf"
)

// azure is the address of Azure's host agent, which serves configuration. It is in no registry, so code.dny.dev/ssrf
// v0.3.0 allows it. Source: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
var azure = netip.MustParsePrefix("168.63.129.16/32")

// internet denies what the IANA special-purpose registries list, and all of IPv6 outside 2000::/3: loopback, unspecified,
// private, shared, link-local, multicast, documentation, and reserved addresses, and IPv4 in IPv6 by 6to4, Teredo, NAT64,
// and ::/96.
var internet = ssrf.New(ssrf.WithDeniedV4Prefixes(azure))

// Public reports whether an address is on the public internet. Such an address can't be one that only this machine or its
// network can reach. An IPv4-mapped address counts as the IPv4 address in it. An address with a zone is never public.
func Public(ip netip.Addr) bool {
	ip, ok := unmapped(ip)
	return ok && internet.SafeAddr(ip) == nil
}

// unmapped prepares an address for code.dny.dev/ssrf v0.3.0, which allows the invalid address and denies every IPv4-mapped
// one, though the kernel connects to the IPv4 address in it. It refuses zones, because Unmap drops them and prefixes
// can't express them.
func unmapped(ip netip.Addr) (netip.Addr, bool) {
	return ip.Unmap(), ip.IsValid() && ip.Zone() == ""
}

func containsIP(ranges []netip.Prefix, ip netip.Addr) bool {
	for _, r := range ranges {
		if r.Contains(ip) {
			return true
		}
	}
	return false
}
