package fetch

import "net/netip"

// special4 lists the IPv4 ranges that are not the public internet. Source: IANA IPv4 Special-Purpose Address Registry
// (https://www.iana.org/assignments/iana-ipv4-special-registry), all entries whether globally reachable or not, because
// none of them serves media; IANA multicast; and one address of a cloud.
var special4 = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),     // "this network", RFC 791 section 3.2; Linux takes it for loopback
	netip.MustParsePrefix("10.0.0.0/8"),    // private use, RFC 1918
	netip.MustParsePrefix("100.64.0.0/10"), // shared address space of carriers and clouds, RFC 6598
	netip.MustParsePrefix("127.0.0.0/8"),   // loopback, RFC 1122 section 3.2.1.3
	// The host agent of Azure, in no registry: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
	netip.MustParsePrefix("168.63.129.16/32"),
	netip.MustParsePrefix("169.254.0.0/16"),  // link-local, RFC 3927; the metadata services of clouds
	netip.MustParsePrefix("172.16.0.0/12"),   // private use, RFC 1918
	netip.MustParsePrefix("192.0.0.0/24"),    // IETF protocol assignments, RFC 6890 section 2.1
	netip.MustParsePrefix("192.0.2.0/24"),    // documentation, RFC 5737
	netip.MustParsePrefix("192.31.196.0/24"), // AS112, RFC 7535
	netip.MustParsePrefix("192.52.193.0/24"), // multicast tunnels, RFC 7450
	netip.MustParsePrefix("192.88.99.0/24"),  // 6to4 relays, RFC 7526
	netip.MustParsePrefix("192.168.0.0/16"),  // private use, RFC 1918
	netip.MustParsePrefix("192.175.48.0/24"), // AS112, RFC 7534
	netip.MustParsePrefix("198.18.0.0/15"),   // benchmarking, RFC 2544
	netip.MustParsePrefix("198.51.100.0/24"), // documentation, RFC 5737
	netip.MustParsePrefix("203.0.113.0/24"),  // documentation, RFC 5737
	netip.MustParsePrefix("224.0.0.0/4"),     // multicast, RFC 5771
	netip.MustParsePrefix("240.0.0.0/4"),     // reserved, RFC 1112 section 4; the limited broadcast, RFC 8190
}

// global6 is all of IPv6 that IANA gives out as global unicast (RFC 4291 section 2.4 and the IANA address space registry).
// Outside of it are loopback, IPv4-compatible addresses (::/96), NAT64 (64:ff9b::/96, RFC 6052; 64:ff9b:1::/48, RFC 8215),
// discard-only (100::/64, RFC 6666), segment routing (5f00::/16, RFC 9602), unique local (fc00::/7, RFC 4193), link-local,
// site-local (RFC 3879) and multicast.
var global6 = netip.MustParsePrefix("2000::/3")

// special6 lists the ranges within global6 that are not the public internet. Source: IANA IPv6 Special-Purpose Address
// Registry (https://www.iana.org/assignments/iana-ipv6-special-registry). Teredo and 6to4 carry an IPv4 address in them.
var special6 = []netip.Prefix{
	netip.MustParsePrefix("2001::/23"),         // IETF protocol assignments, RFC 2928: Teredo (RFC 4380), ORCHID and others
	netip.MustParsePrefix("2001:db8::/32"),     // documentation, RFC 3849
	netip.MustParsePrefix("2002::/16"),         // 6to4, RFC 3056
	netip.MustParsePrefix("2620:4f:8000::/48"), // AS112, RFC 7534
	netip.MustParsePrefix("3fff::/20"),         // documentation, RFC 9637
}

// Public reports whether an address is on the public internet, so that connecting to it can't reach what only this machine
// or its network can. An IPv4-mapped address is judged by the IPv4 address in it. An address with a zone never is public.
func Public(ip netip.Addr) bool {
	if !ip.IsValid() || ip.Zone() != "" {
		return false
	}
	ip = ip.Unmap()
	if ip.Is4() {
		return !within(special4, ip)
	}
	return global6.Contains(ip) && !within(special6, ip)
}

func within(ranges []netip.Prefix, ip netip.Addr) bool {
	for _, r := range ranges {
		if r.Contains(ip) {
			return true
		}
	}
	return false
}
