package fetch_test

import (
	"encoding/binary"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"

	"code.dny.dev/ssrf"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/fetch"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// specialAddresses returns addresses that are not on the public internet. The tests try each as a literal, as a DNS
// answer, and as the target of a redirect.
func specialAddresses() []string {
	return []string{
		// loopback, unspecified, private and shared
		"0.0.0.0", "0.0.0.1", "0.255.255.255", "10.0.0.0", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.100.100.200",
		"100.127.255.255", "127.0.0.1", "127.0.0.2", "127.1.2.3", "127.255.255.255", "172.16.0.1", "172.31.255.255",
		"192.168.0.1", "192.168.255.255",
		// link-local and clouds
		"169.254.0.1", "169.254.169.254", "169.254.170.2", "169.254.255.255", "168.63.129.16", "192.0.0.192",
		// the rest of the IPv4 registry
		"192.0.0.1", "192.0.0.170", "192.0.2.1", "192.31.196.1", "192.52.193.1", "192.88.99.1", "192.175.48.1",
		"198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1",
		"255.255.255.255",
		// IPv6 outside of global unicast
		"::", "::1", "::2", "100::1", "100:0:0:1::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fd12:3456:789a::1",
		"fe80::1", "fe80::a9fe:a9fe", "febf::1", "fec0::1", "ff02::1", "ff0e::1", "1fff::1", "4000::1",
		// IPv6 within global unicast
		"2001::1", "2001:1::1", "2001:2::1", "2001:20::1", "2001:1ff:ffff::1", "2001:db8::1", "2620:4f:8000::1",
		"3fff::1", "3fff:fff::1",
		// IPv4 in IPv6: compatible, mapped, translated, NAT64, local NAT64, 6to4, Teredo
		"::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::ffff:168.63.129.16",
		"::ffff:0:7f00:1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b::808:808", "64:ff9b:1::7f00:1",
		"2002:7f00:1::", "2002:a9fe:a9fe::1", "2002:808:808::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2",
	}
}

// Public is false for special-purpose addresses.
func TestSpecialAddressesAreNotPublic(t *testing.T) {
	t.Parallel()
	require.GreaterOrEqual(t, len(specialAddresses()), 60)
	for _, s := range specialAddresses() {
		require.False(t, fetch.Public(netip.MustParseAddr(s)), s)
	}
}

// Public is true for ordinary addresses, also next to a special range or mapped into IPv6.
func TestOrdinaryAddressesArePublic(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"1.1.1.1", "8.8.8.8", "93.184.215.14", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
		"126.255.255.255", "128.0.0.0", "168.63.129.15", "168.63.129.17", "169.253.255.255", "169.255.0.0",
		"172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0", "192.167.255.255", "192.169.0.0", "198.17.255.255",
		"198.20.0.0", "203.0.112.255", "203.0.114.0", "223.255.255.255", "2001:200::1", "2001:4860:4860::8888",
		"2003::1", "2400:cb00::1", "2606:4700:4700::1111", "2620:4f:7fff::1", "2620:4f:8001::1", "2a00:1450:4001::1",
		"3ffe:ffff::1", "::ffff:8.8.8.8",
	} {
		require.True(t, fetch.Public(netip.MustParseAddr(s)), s)
	}
}

// Public is false for the invalid address and for addresses with a zone.
func TestZonesAreNotPublic(t *testing.T) {
	t.Parallel()
	require.False(t, fetch.Public(netip.Addr{}))
	require.False(t, fetch.Public(netip.MustParseAddr("fe80::1%eth0")))
	require.False(t, fetch.Public(netip.MustParseAddr("2606:4700:4700::1111%eth0")))
	require.False(t, fetch.Public(netip.MustParseAddr("::ffff:8.8.8.8%eth0")))
}

// special4 lists the IPv4 ranges that are not the public internet. Source: IANA IPv4 Special-Purpose Address Registry
// (https://www.iana.org/assignments/iana-ipv4-special-registry). It has all entries, even globally reachable ones,
// because none of them serves media, plus IANA multicast and one address of a cloud.
var special4 = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),        // "this network", RFC 791 section 3.2; Linux treats it as loopback
	netip.MustParsePrefix("10.0.0.0/8"),       // private use, RFC 1918
	netip.MustParsePrefix("100.64.0.0/10"),    // shared address space of carriers and clouds, RFC 6598
	netip.MustParsePrefix("127.0.0.0/8"),      // loopback, RFC 1122 section 3.2.1.3
	netip.MustParsePrefix("168.63.129.16/32"), // the host agent of Azure, in no registry
	netip.MustParsePrefix("169.254.0.0/16"),   // link-local, RFC 3927; the metadata services of clouds
	netip.MustParsePrefix("172.16.0.0/12"),    // private use, RFC 1918
	netip.MustParsePrefix("192.0.0.0/24"),     // IETF protocol assignments, RFC 6890 section 2.1
	netip.MustParsePrefix("192.0.2.0/24"),     // documentation, RFC 5737
	netip.MustParsePrefix("192.31.196.0/24"),  // AS112, RFC 7535
	netip.MustParsePrefix("192.52.193.0/24"),  // multicast tunnels, RFC 7450
	netip.MustParsePrefix("192.88.99.0/24"),   // 6to4 relays, RFC 7526
	netip.MustParsePrefix("192.168.0.0/16"),   // private use, RFC 1918
	netip.MustParsePrefix("192.175.48.0/24"),  // AS112, RFC 7534
	netip.MustParsePrefix("198.18.0.0/15"),    // benchmarking, RFC 2544
	netip.MustParsePrefix("198.51.100.0/24"),  // documentation, RFC 5737
	netip.MustParsePrefix("203.0.113.0/24"),   // documentation, RFC 5737
	netip.MustParsePrefix("224.0.0.0/4"),      // multicast, RFC 5771
	netip.MustParsePrefix("240.0.0.0/4"),      // reserved, RFC 1112 section 4; the limited broadcast, RFC 8190
}

// global6 is the range that IANA assigns as global unicast (RFC 4291, section 2.4, and the IANA IPv6 address space
// registry). Outside it are loopback, IPv4-compatible addresses (::/96), NAT64 (64:ff9b::/96, RFC 6052; 64:ff9b:1::/48,
// RFC 8215), discard-only (100::/64, RFC 6666), segment routing (5f00::/16, RFC 9602), unique local (fc00::/7, RFC 4193),
// link-local, site-local (RFC 3879), and multicast.
var global6 = netip.MustParsePrefix("2000::/3")

// special6 lists the ranges within global6 that are not the public internet. Source: IANA IPv6 Special-Purpose Address
// Registry (https://www.iana.org/assignments/iana-ipv6-special-registry). Teredo and 6to4 addresses contain an IPv4
// address.
var special6 = []netip.Prefix{
	netip.MustParsePrefix("2001::/23"),         // IETF protocol assignments, RFC 2928: Teredo (RFC 4380), ORCHID and others
	netip.MustParsePrefix("2001:db8::/32"),     // documentation, RFC 3849
	netip.MustParsePrefix("2002::/16"),         // 6to4, RFC 3056
	netip.MustParsePrefix("2620:4f:8000::/48"), // AS112, RFC 7534
	netip.MustParsePrefix("3fff::/20"),         // documentation, RFC 9637
}

// Public agrees with our copy of the registries on every address, so that a library update can't lose one.
func TestPublicAgreesWithRegistries(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it checks a million addresses")
	rounds := 100_000
	if testing.Short() {
		rounds = 1_000
	}
	agree := func(ip netip.Addr) {
		t.Helper()
		u := ip.Unmap()
		want := u.Is4() && !contains(special4, u) || u.Is6() && global6.Contains(u) && !contains(special6, u)
		if got := fetch.Public(ip); got != want { // calling require for a million addresses is slow
			require.Equal(t, want, got, ip.String())
		}
	}
	for _, s := range specialAddresses() {
		agree(netip.MustParseAddr(s))
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range rounds {
		agree(random4(random))
		agree(random6(random))
		agree(mapped(random4(random)))
	}
	ranges := slices.Concat([]netip.Prefix{global6, ssrf.IPv6NAT64Prefix}, special4, special6, ssrf.IPv4DeniedPrefixes, ssrf.IPv6DeniedPrefixes)
	for _, r := range ranges {
		first, last := r.Masked().Addr(), lastOf(r)
		for _, edge := range []netip.Addr{first, first.Prev(), first.Next(), last, last.Prev(), last.Next()} {
			if edge.IsValid() {
				agree(edge)
			}
		}
		for range rounds / 100 {
			agree(randomIn(random, r))
		}
	}
}

func contains(ranges []netip.Prefix, ip netip.Addr) bool {
	return slices.ContainsFunc(ranges, func(r netip.Prefix) bool { return r.Contains(ip) })
}

// The library gets these addresses wrong. When this test fails, remove the workarounds in package fetch.
func TestWhatTheLibraryLacks(t *testing.T) {
	t.Parallel()
	library := ssrf.New()
	require.NoError(t, library.SafeAddr(netip.Addr{}))
	require.NoError(t, library.SafeAddr(netip.MustParseAddr("168.63.129.16")))
	require.Error(t, library.SafeAddr(netip.MustParseAddr("::ffff:8.8.8.8")))
	require.NoError(t, library.SafeAddr(netip.MustParseAddr("::ffff:8.8.8.8%eth0").Unmap()))
	library = ssrf.New(ssrf.WithAllowedV6Prefixes(netip.MustParsePrefix("fd00::/8")),
		ssrf.WithDeniedV6Prefixes(netip.MustParsePrefix("fd00:ec2::/32")))
	require.NoError(t, library.SafeAddr(netip.MustParseAddr("fd00:ec2::254")))
}

func random4(random *rand.Rand) netip.Addr {
	return netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(nil, random.Uint32())))
}

func random6(random *rand.Rand) netip.Addr {
	b := binary.BigEndian.AppendUint64(nil, random.Uint64())
	return netip.AddrFrom16([16]byte(binary.BigEndian.AppendUint64(b, random.Uint64())))
}

func mapped(ip netip.Addr) netip.Addr { return netip.AddrFrom16(ip.As16()) }

// randomIn returns a random address in r.
func randomIn(random *rand.Rand, r netip.Prefix) netip.Addr {
	b := r.Masked().Addr().AsSlice()
	for i := range b {
		b[i] |= byte(random.Uint32()) & hostBits(r, i)
	}
	ip, _ := netip.AddrFromSlice(b)
	return ip
}

func lastOf(r netip.Prefix) netip.Addr {
	b := r.Masked().Addr().AsSlice()
	for i := range b {
		b[i] |= hostBits(r, i)
	}
	ip, _ := netip.AddrFromSlice(b)
	return ip
}

// hostBits returns a mask of the bits of byte i that are not in the prefix.
func hostBits(r netip.Prefix, i int) byte {
	return byte(0xff >> min(8, max(0, r.Bits()-8*i)))
}
