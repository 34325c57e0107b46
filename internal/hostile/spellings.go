package hostile

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"strings"
)

// Metadata lists addresses at which clouds serve credentials and configuration to their machines.
var Metadata = []string{
	"169.254.169.254", "169.254.170.2", "169.254.170.23", "168.63.129.16", "100.100.100.200", "192.0.0.192",
	"fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "fd00:c1::a9fe:a9fe", "fd00:42::42", "fe80::a9fe:a9fe",
}

// Spellings returns the ways to write an address as the host of a URL that some program reads as this address.
func Spellings(ip netip.Addr) []string {
	if ip.Is4() {
		return spellings4(ip)
	}
	short, long := ip.String(), ip.StringExpanded()
	list := []string{"[" + short + "]", "[" + long + "]", "[" + strings.ToUpper(long) + "]", "[" + short + "%25lo]", "[" + short + "%251]", "user@[" + short + "]"}
	if ip.IsLoopback() {
		list = append(list, "ip6-localhost", "ip6-loopback", "localhost", "[0::1]", "[::0:1]")
	}
	return list
}

// spellings4 returns the ways to write an IPv4 address: as inet_aton reads it, as Unicode becomes it (UTS 46), and inside IPv6 addresses.
func spellings4(ip netip.Addr) []string {
	b, s := ip.As4(), ip.String()
	n, low := binary.BigEndian.Uint32(b[:]), uint32(b[1])<<16|uint32(b[2])<<8|uint32(b[3])
	hex := fmt.Sprintf("%02x%02x:%02x%02x", b[0], b[1], b[2], b[3])
	list := []string{
		s, s + ".", fmt.Sprint(n), fmt.Sprintf("0x%x", n), fmt.Sprintf("0X%X", n), fmt.Sprintf("0%o", n), fmt.Sprintf("0x%02x.0x%02x.0x%02x.0x%02x", b[0], b[1], b[2], b[3]),
		fmt.Sprintf("0%o.0%o.0%o.0%o", b[0], b[1], b[2], b[3]), fmt.Sprintf("%d.%d", b[0], low), fmt.Sprintf("%d.%d.%d", b[0], b[1], low&0xffff),
		fmt.Sprintf("0x%x.%d", b[0], low), fmt.Sprintf("%03d.%03d.%03d.%03d", b[0], b[1], b[2], b[3]), fmt.Sprintf("%d", uint64(n)+1<<32),
		strings.ReplaceAll(s, ".", "。"), strings.ReplaceAll(s, ".", "．"), fullWidth(s), strings.ReplaceAll(s, ".", "%2e"), fmt.Sprintf("%%3%c%s", s[0], s[1:]),
		"[::ffff:" + s + "]", "[::ffff:" + hex + "]", "[0:0:0:0:0:ffff:" + hex + "]", "[::" + s + "]", "[::" + hex + "]", "[::ffff:0:" + hex + "]",
		"[64:ff9b::" + hex + "]", "[64:ff9b:1::" + hex + "]", "[2002:" + hex + "::1]", "[::ffff:" + s + "%25lo]",
		"user@" + s, "user:pass@" + s, "8.8.8.8@" + s, "8.8.8.8:80@" + s, "example.com%40" + s, "example.com#@" + s, "8.8.8.8\\@" + s, s + "%00.example.com", s + "%0d%0a",
	}
	if ip.IsLoopback() {
		list = append(list, "localhost", "LOCALHOST", "localhost.", "a.localhost", "localhost.localdomain", "0", "0.0.0.0", "127.1", "[::]", "lo\u0441alhost", "ⓛocalhost")
	}
	return list
}

// fullWidth returns an address with the digits ０ to ９.
func fullWidth(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '.' {
			return r
		}
		return r - '0' + '０'
	}, s)
}
