package backends

import (
	"net"
	"net/url"
	"regexp"
	"strings"
)

// checkURL refuses an address that is none, or that has a secret in it, which it doesn't tell.
func (r role) checkURL() error {
	if r.URL == "" {
		return nil
	}
	flag := "--" + r.flag + "-url"
	u, err := url.Parse(r.URL)
	switch {
	case err == nil && u.User != nil:
		return wrong("The address of %s has a password in it.", flag).WithHint(howToGiveKeys(r.flag))
	case err == nil && secretQuery(u):
		return wrong("The address of %s has a key in it.", flag).WithHint(howToGiveKeys(r.flag))
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Fragment != "":
		return wrong("%s is not the address of a server.", flag).WithHint("Write it with its scheme, for example " + r.kind.exampleURL() + ".")
	}
	return nil
}

var secretName = regexp.MustCompile(`(?i)(key|token|secret|passw|auth|sig)`)

// secretQuery reports whether a parameter of an address is named like a secret.
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

// address is where the service is.
func (r role) address() string {
	if r.URL != "" {
		return strings.TrimRight(r.URL, "/")
	}
	return r.kind.url
}

// told is the address as anybody may read it.
func (r role) told() string { return PublicURL(r.address()) }

// PublicURL is an address without what may be secret in it: its user, password and parameters. It is "" when it is none.
func PublicURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host + u.Path
}

// own reports whether the address is the provider's, by TLS: only there its own variable's key goes.
func (r role) own() bool {
	theirs, err := url.Parse(r.kind.url)
	here, hereErr := url.Parse(r.address())
	return err == nil && hereErr == nil && theirs.Scheme == "https" && here.Scheme == "https" && strings.EqualFold(here.Host, theirs.Host)
}

// inClear reports whether a key would go to another machine without TLS.
func (r role) inClear() bool {
	u, err := url.Parse(r.address())
	if err != nil || u.Scheme != "http" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback())
}
