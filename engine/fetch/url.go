package fetch

import (
	"errors"
	"net"
	"net/url"
	"strconv"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

const maxURL = 8 << 10 // signed URLs of object stores reach nearly half of it

// CheckURL parses an absolute http or https URL (RFC 3986) and returns it in canonical form: a lower-case host without a
// trailing dot, no default port, no fragment, and a query without raw spaces. It resolves nothing, and accepts private
// addresses.
//
// CodeInvalid: another scheme or none, no host, a user name, or a port outside 1–65535. CodeNotPublic: a zone, or a host that
// only some resolvers read as an IPv4 address: 0x7f.1, 2130706433, 0177.0.0.1, 127.1 (WHATWG URL, "ends in a number").
func CheckURL(raw string) (*url.URL, error) {
	if len(raw) > maxURL {
		return nil, invalid("is longer than 8 KiB.")
	}
	u, err := url.Parse(raw)
	if err != nil {
		return nil, invalid("is not a valid URL.").Because(withoutURL(err))
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, invalid("must begin with http:// or https://.")
	case u.Opaque != "" || u.Host == "":
		return nil, invalid("has no host.")
	case u.User != nil:
		return nil, invalid("must not contain a user name or password.")
	}
	host, err := canonicalHost(u)
	if err != nil {
		return nil, err
	}
	port, err := canonicalPort(u)
	if err != nil {
		return nil, err
	}
	if port != "" {
		host = host + ":" + port
	}
	return &url.URL{
		Scheme: u.Scheme, Host: host, Path: firstOf(u.Path, "/"), RawPath: u.RawPath, RawQuery: escapeQuery(u.RawQuery),
	}, nil
}

// canonicalPort returns the port in decimal, or "" for the scheme's default.
func canonicalPort(u *url.URL) (string, error) {
	if u.Port() == "" {
		return "", nil
	}
	n, err := strconv.ParseUint(u.Port(), 10, 16)
	if err != nil || n == 0 {
		return "", invalid("contains a port that is not between 1 and 65535.")
	}
	port := strconv.FormatUint(n, 10)
	if port == defaultPort(u.Scheme) {
		return "", nil
	}
	return port, nil
}

// portOf returns the port of a checked URL.
func portOf(u *url.URL) uint16 {
	_, port, err := net.SplitHostPort(u.Host)
	if err != nil {
		port = defaultPort(u.Scheme)
	}
	n, _ := strconv.ParseUint(port, 10, 16)
	return uint16(n)
}

func defaultPort(scheme string) string {
	if scheme == "https" {
		return "443"
	}
	return "80"
}

// escapeQuery percent-encodes bytes that RFC 3986 doesn't allow but people paste. A raw space would end the request line
// early.
func escapeQuery(q string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(q) {
		if c := q[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// withoutURL returns the reason why a URL could not be parsed, without the URL itself, which may be signed.
func withoutURL(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}

func firstOf(s, fallback string) string {
	if s != "" {
		return s
	}
	return fallback
}

func invalid(what string) *engine.Error {
	return engine.Errorf(engine.CodeInvalid, op, "url %s", what).WithRule("url.invalid")
}
