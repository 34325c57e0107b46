package control

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fetch"
)

// Guard decides who may use the control API. Without a token, only this machine may: the request must come from a loopback address, and
// its Host must be a loopback name, which prevents DNS rebinding by web pages. It must not be a webhook or a download, which other sandboxes on
// this machine may send to URLs of their users. With a token, every request that sends the token may, from anywhere. The health check and the
// API's OpenAPI document are public.
type Guard struct {
	Token string
}

// publicPaths need no token and are open to every host.
var publicPaths = map[string]bool{"/_soundstage/health": true, "/_soundstage/openapi.yaml": true}

// IsPublic reports whether a request needs no permission: it reads a document that has nothing of a world.
func IsPublic(req *http.Request) bool {
	return publicPaths[req.URL.Path] && (req.Method == http.MethodGet || req.Method == http.MethodHead)
}

// check returns CodeForbidden or CodeUnauthenticated for a request that is not allowed.
func (g Guard) check(req *http.Request) error {
	const op = "control"
	if IsPublic(req) {
		return nil
	}
	if g.Token != "" {
		if !g.hasToken(req) {
			return engine.Errorf(engine.CodeUnauthenticated, op, "The control API of this server requires its token.").
				WithHint("Send the value of --control-token in the header X-Soundstage-Token.")
		}
		return nil
	}
	if isSentForUser(req) {
		return engine.Errorf(engine.CodeForbidden, op, "The control API accepts no webhooks and no downloads.").
			WithHint("Send webhooks to a receiver of your own.")
	}
	if origin := req.Header.Get("Origin"); origin != "" && !isLoopbackOrigin(origin) {
		return engine.Errorf(engine.CodeForbidden, op, "Pages of %s can't use the control API.", origin).
			WithHint("Serve the page from localhost, or start the server with --control-token.")
	}
	if !isLoopback(req.Host) {
		return engine.Errorf(engine.CodeForbidden, op, "The control API accepts only loopback host names (got %q).", req.Host).
			WithHint("Use 127.0.0.1 or localhost, or start the server with --control-token.")
	}
	if req.RemoteAddr != "" && req.RemoteAddr != inProcess && !isLoopback(req.RemoteAddr) {
		return engine.Errorf(engine.CodeForbidden, op, "The control API accepts requests from this machine only.").
			WithHint("Start the server with --control-token, and send it in the header X-Soundstage-Token.")
	}
	return nil
}

// isSentForUser reports whether a server sent the request to a URL that one of its users chose: it is a Standard Webhook, or comes from
// package fetch.
func isSentForUser(req *http.Request) bool {
	return req.Header.Get("webhook-id") != "" || req.UserAgent() == fetch.UserAgent
}

// inProcess is the remote address of a request over net.Pipe.
const inProcess = "pipe"

// hasToken reports whether a request sends the token, in X-Soundstage-Token or as a bearer token.
func (g Guard) hasToken(req *http.Request) bool {
	sent := req.Header.Get("X-Soundstage-Token")
	if scheme, token, ok := strings.Cut(req.Header.Get("Authorization"), " "); sent == "" && ok && strings.EqualFold(scheme, "Bearer") {
		sent = strings.TrimSpace(token)
	}
	return subtle.ConstantTimeCompare([]byte(sent), []byte(g.Token)) == 1
}

// isLoopback reports whether an address, with or without a port, is a loopback address or localhost.
func isLoopback(address string) bool {
	host := address
	if h, _, err := net.SplitHostPort(address); err == nil {
		host = h
	}
	host = strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

func isLoopbackOrigin(origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && isLoopback(u.Host)
}
