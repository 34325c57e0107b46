package emulator

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/engine"
)

// hosts are the names by which clients may reach the server, apart from those that only local or private networks resolve. They are
// checked while the public sandbox secrets are accepted: a web page could send those to a name of its own that resolves to this machine
// (DNS rebinding).
type hosts []string

// newHosts returns the allowed hosts: --allowed-host and the host of --public-url.
func newHosts(o Options) hosts {
	h := hosts{}
	for _, name := range o.AllowedHosts {
		h = append(h, hostName(name))
	}
	if u, err := url.Parse(o.PublicURL); err == nil && u.Host != "" {
		h = append(h, hostName(u.Host))
	}
	return h
}

// hostsRule is the reason of refusals in X-Soundstage-Reason.
const hostsRule = `docs/sandbox.md, "Start": Host and Origin are checked while the sandbox secrets are accepted (sandbox only)`

// wrap returns a handler that refuses requests for foreign hosts and from foreign pages.
func (h hosts) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if err := h.check(req); err != nil {
			api.Refuse(w, req, hostsRule, err)
			return
		}
		next.ServeHTTP(w, req)
	})
}

// check returns CodeForbidden for a request that is not allowed.
func (h hosts) check(req *http.Request) error {
	const op = "serve"
	if control.IsPublic(req) {
		return nil
	}
	if !h.allows(req.Host) {
		host := hostName(req.Host)
		return engine.Errorf(engine.CodeForbidden, op, "The host %q is not allowed; start the server with --allowed-host to allow it.", host).
			WithHint("Use an IP address or localhost, start the server with --allowed-host NAME, or set your own secrets with --secret-file.")
	}
	origin := req.Header.Get("Origin")
	if origin == "" || h.allowsOrigin(origin, req.Host) {
		return nil
	}
	return engine.Errorf(engine.CodeForbidden, op, "Pages of %q are not allowed; start the server with --allowed-host to allow their host.", origin).
		WithHint("Serve the page from localhost, start the server with --allowed-host NAME, or set your own secrets with --secret-file.")
}

// allows reports whether clients may reach the server by the host of a header.
func (h hosts) allows(header string) bool {
	host := hostName(header)
	return h.names(host) || isPrivateName(host)
}

// names reports whether the user allowed a host.
func (h hosts) names(host string) bool { return slices.Contains(h, host) }

// allowsOrigin reports whether pages of an origin may send requests for a host: the server's own pages, those of this machine, and those
// of hosts that the user allowed. Schemes don't matter, because a proxy may terminate TLS.
func (h hosts) allowsOrigin(origin, host string) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		return false // "null" is the origin of sandboxed pages
	}
	return strings.EqualFold(u.Host, host) || h.names(hostName(u.Host)) || loopbackName(hostName(u.Host))
}

// isPrivateName reports whether public DNS can't resolve a host: an IP address, localhost, or a name without a dot, such as that of a
// container.
func isPrivateName(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil || loopbackName(host) || !strings.Contains(host, ".")
}

// loopbackName reports whether a host is this machine. Source: RFC 6761, section 6.3.
func loopbackName(host string) bool { return loopback(host) || strings.HasSuffix(host, ".localhost") }

// hostName returns the host in a Host header: in lower case, without port, brackets, and trailing dot.
func hostName(header string) string {
	host := header
	if h, _, err := net.SplitHostPort(header); err == nil {
		host = h
	}
	return strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
}

// checkAllowedHosts returns CodeInvalid for a value of --allowed-host that is not a host name.
func checkAllowedHosts(names []string) error {
	for _, name := range names {
		if name == "" || strings.Trim(name, ".-_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
			return engine.Errorf(engine.CodeInvalid, "emulator.New", "%q is not a host name.", name).
				WithHint("Use a name without scheme, port, and wildcards, for example --allowed-host sandbox.example.com.")
		}
	}
	return nil
}
