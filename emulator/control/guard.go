package control

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// Guard says who may use the control API. Without a token that is this machine only: the request comes from a loopback address and
// asks for one, so that no page in a browser can reach it by a name of its own that leads here (DNS rebinding). With a token
// it is whoever sends it, from anywhere. Health and the API's own contract are open to all.
type Guard struct {
	Token string
}

// open are the paths that everybody may read.
var open = map[string]bool{"/_soundstage/health": true, "/_soundstage/openapi.yaml": true}

// check refuses a request as CodeForbidden or CodeUnauthenticated.
func (g Guard) check(req *http.Request) error {
	const op = "control"
	if open[req.URL.Path] && (req.Method == http.MethodGet || req.Method == http.MethodHead) {
		return nil
	}
	if g.Token != "" {
		if !g.has(req) {
			return engine.Errorf(engine.CodeUnauthenticated, op, "The control API of this server needs its token.").
				WithHint("Send the header X-Soundstage-Token with what --control-token says.")
		}
		return nil
	}
	if origin := req.Header.Get("Origin"); origin != "" && !localOrigin(origin) {
		return engine.Errorf(engine.CodeForbidden, op, "The control API can't be used by pages of %s.", origin).
			WithHint("Serve the page from localhost, or start the server with --control-token.")
	}
	if !local(req.Host) {
		return engine.Errorf(engine.CodeForbidden, op, "The control API is asked for by the name of this machine only, not as %q.", req.Host).
			WithHint("Use 127.0.0.1 or localhost, or start the server with --control-token.")
	}
	if req.RemoteAddr != "" && req.RemoteAddr != inProcess && !local(req.RemoteAddr) {
		return engine.Errorf(engine.CodeForbidden, op, "The control API is open to this machine only.").
			WithHint("Start the server with --control-token, and send it in the header X-Soundstage-Token.")
	}
	return nil
}

// inProcess is the address of requests of net.Pipe.
const inProcess = "pipe"

// has reports whether a request has the token, in its own header or as a bearer's.
func (g Guard) has(req *http.Request) bool {
	sent := req.Header.Get("X-Soundstage-Token")
	if scheme, token, ok := strings.Cut(req.Header.Get("Authorization"), " "); sent == "" && ok && strings.EqualFold(scheme, "Bearer") {
		sent = strings.TrimSpace(token)
	}
	return subtle.ConstantTimeCompare([]byte(sent), []byte(g.Token)) == 1
}

// local reports whether an address, with or without a port, is this machine's own.
func local(address string) bool {
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

func localOrigin(origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && local(u.Host)
}
