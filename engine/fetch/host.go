package fetch

import (
	"net/netip"
	"net/url"
	"strings"
	"unicode"
)

// Limits of names in bytes, without the length bytes. Source: RFC 1035, section 2.3.4.
const (
	maxName  = 253
	maxLabel = 63
)

// canonicalHost returns the host in canonical form, with brackets around an IPv6 address.
func canonicalHost(u *url.URL) (string, error) {
	host := strings.ToLower(u.Hostname())
	if strings.HasPrefix(u.Host, "[") {
		ip, err := netip.ParseAddr(host)
		if err != nil || !ip.Is6() {
			return "", invalid("contains a malformed IPv6 address.")
		}
		if ip.Zone() != "" {
			return "", notPublic("an address with a zone")
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

// checkName accepts names of letters, digits, '-', and '_'. net/http converts international names to their xn-- form.
// Characters that this conversion turns into digits or dots (127。0。0。1) count as an address.
func checkName(name string) error {
	labels := strings.Split(name, ".")
	for _, label := range labels {
		if label == "" || len(label) > maxLabel {
			return invalid("contains a malformed host name.")
		}
		for _, r := range label {
			if r > unicode.MaxASCII && (unicode.IsNumber(r) || strings.ContainsRune("。．｡", r)) {
				return oddAddress()
			}
			if !isNameRune(r) {
				return invalid("contains a character that is not allowed in host names.")
			}
		}
	}
	if len(name) > maxName {
		return invalid("contains a host name that is too long.")
	}
	if isNumber(labels[len(labels)-1]) {
		return oddAddress()
	}
	return nil
}

// oddAddress returns the error for a host that only some resolvers read as an IPv4 address.
func oddAddress() error {
	return notPublic("an IPv4 address that is not four decimal numbers").WithHint("Write an IPv4 address as four decimal numbers.")
}

func isNameRune(r rune) bool {
	if r > unicode.MaxASCII {
		return unicode.IsLetter(r) || unicode.IsMark(r)
	}
	return r == '-' || r == '_' || 'a' <= r && r <= 'z' || '0' <= r && r <= '9'
}

// isNumber reports whether inet_aton (BSD, glibc) might read the label as a decimal, octal, or hexadecimal number.
func isNumber(label string) bool {
	digits, set := label, "0123456789"
	if rest, ok := strings.CutPrefix(label, "0x"); ok {
		digits, set = rest, "0123456789abcdef"
	}
	return strings.Trim(digits, set) == ""
}
