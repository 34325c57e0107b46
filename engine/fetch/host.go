package fetch

import (
	"net/netip"
	"net/url"
	"strings"
	"unicode"
)

// Sizes of names. Source: RFC 1035 section 2.3.4, without the length bytes.
const (
	maxName  = 253
	maxLabel = 63
)

// canonicalHost returns the host as it may stand before a port: an IPv6 address in brackets.
func canonicalHost(u *url.URL) (string, error) {
	host := strings.ToLower(u.Hostname())
	if strings.HasPrefix(u.Host, "[") {
		ip, err := netip.ParseAddr(host)
		if err != nil || !ip.Is6() || ip.Zone() != "" {
			return "", invalid("contains a malformed IPv6 address.")
		}
		return "[" + ip.String() + "]", nil
	}
	host = strings.TrimSuffix(host, ".")
	if ip, err := netip.ParseAddr(host); err == nil && ip.Is4() {
		return ip.String(), nil
	}
	if err := checkName(host); err != nil {
		return "", err
	}
	return host, nil
}

// checkName accepts names of letters, digits, '-' and '_'. International names are turned into their xn-- form by
// net/http; characters that turn into digits or dots on that way (127。0。0。1) are no letters and so are refused.
func checkName(name string) error {
	labels := strings.Split(name, ".")
	for _, label := range labels {
		if label == "" || len(label) > maxLabel {
			return invalid("contains a malformed host name.")
		}
		for _, r := range label {
			if !isNameRune(r) {
				return invalid("contains a character that host names don't have.")
			}
		}
	}
	if len(name) > maxName {
		return invalid("contains a host name that is too long.")
	}
	if isNumber(labels[len(labels)-1]) {
		return invalid("contains an IPv4 address that is not written as four decimal numbers.")
	}
	return nil
}

func isNameRune(r rune) bool {
	if r > unicode.MaxASCII {
		return unicode.IsLetter(r) || unicode.IsMark(r)
	}
	return r == '-' || r == '_' || 'a' <= r && r <= 'z' || '0' <= r && r <= '9'
}

// isNumber reports whether inet_aton (BSD, glibc) might read the label as a number: decimal, octal or 0x and hexadecimal.
func isNumber(label string) bool {
	digits, set := label, "0123456789"
	if rest, ok := strings.CutPrefix(label, "0x"); ok {
		digits, set = rest, "0123456789abcdef"
	}
	return strings.Trim(digits, set) == ""
}
