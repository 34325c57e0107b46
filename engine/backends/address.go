package backends

import (
	"net"
	"net/url"
	"strings"

	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// checkURL refuses a URL that is not valid or contains a secret. The error doesn't contain the URL.
func (r role) checkURL() error {
	if r.URL == "" {
		return nil
	}
	flag := "--" + r.flag + "-url"
	u, err := url.Parse(r.URL)
	switch {
	case err == nil && u.User != nil:
		return invalid("%s contains a password.", flag).WithHint(howToGiveKeys(r.flag))
	case err == nil && secretQuery(u):
		return invalid("%s contains a key.", flag).WithHint(howToGiveKeys(r.flag))
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Fragment != "":
		return invalid("%s is not a valid server URL.", flag).WithHint("Include the scheme, for example " + r.kind.exampleURL() + ".")
	}
	return nil
}

var secretName = lazyregexp.New(`(?i)(key|token|secret|passw|auth|sig)`)

// secretQuery reports whether a query parameter has the name of a secret or looks like one.
func secretQuery(u *url.URL) bool {
	for name, values := range u.Query() {
		if secretName.MatchString(name) {
			return true
		}
		for _, v := range values {
			if LooksSecret(v) {
				return true
			}
		}
	}
	return false
}

// address returns the URL of the service.
func (r role) address() string {
	if r.URL != "" {
		return strings.TrimRight(r.URL, "/")
	}
	return r.kind.url
}

// publicURL returns the URL without secrets.
func (r role) publicURL() string { return PublicURL(r.address()) }

// PublicURL returns a URL without the parts that may be secret: user, password, and query. It returns "" for an invalid URL.
func PublicURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host + u.Path
}

// isProvider reports whether the URL is the provider's, over TLS. Only there the key in the provider's own variable is sent.
func (r role) isProvider() bool {
	theirs, err := url.Parse(r.kind.url)
	here, hereErr := url.Parse(r.address())
	return err == nil && hereErr == nil && theirs.Scheme == "https" && here.Scheme == "https" && strings.EqualFold(here.Host, theirs.Host)
}

// inClear reports whether the key would be sent to another machine without TLS.
func (r role) inClear() bool {
	u, err := url.Parse(r.address())
	if err != nil || u.Scheme != "http" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback())
}
