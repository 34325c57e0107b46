package fetch_test

import (
	"flag"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/feed"
	"github.com/soundstage-dev/soundstage/engine/fetch"
	"github.com/soundstage-dev/soundstage/internal/hostile"
	"github.com/soundstage-dev/soundstage/internal/leaks"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

var everyRedirect = flag.Bool("every-redirect", false, "TestSSRF tries every kind of redirect with every URL, not one kind in turn")

// ways are the requests that users cause with URLs, under one configuration.
type ways struct {
	t      *testing.T
	client *fetch.Client
	sender *fetch.Sender
	feeds  *feed.Reader
	proxy  string // of yt-dlp
	tried  int
}

func newWays(t *testing.T, cfg fetch.Config) *ways {
	w := &ways{t: t, client: fetch.New(cfg), sender: fetch.NewSender(cfg)}
	w.feeds = feed.New(w.client)
	at, end := fetch.NewProxy(t, cfg)
	t.Cleanup(end)
	t.Cleanup(w.sender.Close)
	w.proxy = at.String()
	return w
}

// direct sends every kind of request to a URL of a target. None may succeed.
func (w *ways) direct(target string) {
	w.t.Helper()
	errs := w.download(target)
	_, err := w.sender.Send(w.t.Context(), engine.SendRequest{URL: target, Body: []byte("{}")})
	for _, err := range append(errs, err) { // refused before a connection, or a name that doesn't exist
		if code := engine.CodeOf(err); code != engine.CodeInvalid && code != engine.CodeNotPublic {
			require.ErrorContains(w.t, err, "not found", target)
		}
	}
	for _, answer := range w.resolve(target) {
		require.NotRegexp(w.t, `^2\d\d `, answer, target)
	}
}

// redirected sends every kind of request to a URL that leads to a target. Downloads may not succeed. Webhooks and requests of yt-dlp may get the
// first server's response.
func (w *ways) redirected(target string) {
	w.t.Helper()
	w.download(target)
	_, _ = w.sender.Send(w.t.Context(), engine.SendRequest{URL: target, Body: []byte("{}")})
	w.resolve(target)
}

// download downloads a file and a feed.
func (w *ways) download(target string) []error {
	w.t.Helper()
	w.tried++
	_, _, err := get(w.client, target)
	require.Error(w.t, err, target)
	_, feedErr := w.feeds.ReadFeed(w.t.Context(), target)
	require.Error(w.t, feedErr, target)
	return []error{err, feedErr}
}

// resolve sends a plain request and one through a tunnel, as yt-dlp does.
func (w *ways) resolve(target string) (answers []string) {
	u, err := url.Parse(target)
	if err != nil || u.Host == "" {
		return nil
	}
	for _, scheme := range []string{"http", "https"} {
		u.Scheme = scheme
		answers = append(answers, viaProxy(w.proxy, u.String()))
	}
	return answers
}

// target is an address that nobody may connect to.
type target struct {
	ip   netip.Addr
	port uint16
}

// targetsOf returns the addresses of a canary that are not public.
func targetsOf(t *testing.T, canary hostile.Canary) (list []target) {
	t.Helper()
	for _, l := range canary {
		at := l.Addr().(*net.TCPAddr).AddrPort()
		if ip := at.Addr().Unmap(); !fetch.Public(ip) {
			list = append(list, target{ip, at.Port()})
		}
	}
	return list
}

// The campaign against requests to private addresses (SSRF): downloads, webhooks, feeds, and requests of yt-dlp never connect to this machine
// or to a cloud's metadata, however the address is spelt, resolved, or redirected to. Not parallel: it checks for leaks.
func TestSSRF(t *testing.T) {
	slow.Short(t, "it tries a thousand URLs")
	leaks.Check(t)
	canary := hostile.Listen(t)
	targets := targetsOf(t, canary)
	require.GreaterOrEqual(t, len(targets), 1)
	for _, m := range hostile.Metadata {
		targets = append(targets, target{netip.MustParseAddr(m), 80})
	}
	ports := []uint16{443}
	for _, to := range targets {
		ports = append(ports, to.port)
	}
	dns := newNameServer()
	hop := newRedirector(t)
	public := newWays(t, fetch.Config{AllowPorts: ports, Resolver: dns.resolver()})
	// It may connect to the redirecting server, which listens on 127.0.0.1 as the canary does.
	redirected := newWays(t, fetch.Config{
		AllowPrefixes: []netip.Prefix{loopback4()}, AllowPorts: append(ports, hop.port), Resolver: dns.resolver(), Own: ownOf(targets),
	})
	// It may connect to private addresses, except for its own.
	own := newWays(t, fetch.Config{AllowPrivate: true, Resolver: dns.resolver(), Own: ownOf(targets)})

	for i, to := range targets {
		name := fmt.Sprintf("n%d.test", i)
		dns.add(name, []netip.Addr{to.ip})
		urls := []string{fmt.Sprintf("http://%s:%d/a.mp3", name, to.port)}
		for _, host := range hostile.Spellings(to.ip) {
			urls = append(urls, fmt.Sprintf("http://%s:%d/a.mp3", host, to.port))
		}
		for j, u := range urls {
			if j > 0 || hasIPv6(t) || to.ip.Is4() { // without IPv6, the resolver drops the address
				public.direct(u)
				own.direct(u)
			}
			kinds := hop.kinds()
			if !*everyRedirect {
				kinds = kinds[j%len(kinds):][:1]
			}
			for _, kind := range kinds {
				redirected.redirected(hop.to(kind, u))
			}
		}
		// DNS rebinding: first an allowed address, then the target.
		rebound := fmt.Sprintf("r%d.test", i)
		allowed := []netip.Addr{netip.MustParseAddr("127.0.0.1")}
		dns.add(rebound, allowed, []netip.Addr{to.ip})
		_, _, err := get(redirected.client, fmt.Sprintf("http://%s:%d/media", rebound, hop.port))
		require.NoError(t, err)
		redirected.direct(fmt.Sprintf("http://%s:%d/a.mp3", rebound, to.port))
	}
	canary.RequireSilent(t)
	t.Logf("%d URLs in 5 ways to %d addresses", public.tried+own.tried+redirected.tried, len(targets))
}

// ownOf returns the ports of the targets as listeners of the program itself, on every address of this machine.
func ownOf(targets []target) (own []netip.AddrPort) {
	for _, to := range targets {
		own = append(own, netip.AddrPortFrom(netip.IPv6Unspecified(), to.port))
	}
	return own
}

// redirector is a server whose responses lead to other URLs.
type redirector struct {
	base string
	port uint16
}

func newRedirector(t *testing.T) redirector {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/media" {
			_, _ = w.Write(media())
			return
		}
		to := r.URL.Query().Get("to")
		var status int
		if _, err := fmt.Sscanf(r.URL.Path, "/%d", &status); err == nil {
			w.Header().Set("Location", to)
			w.WriteHeader(status)
			return
		}
		w.Header().Set("Refresh", "0; url="+to)
		w.Header().Set("Link", "<"+to+">; rel=canonical")
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, `<meta http-equiv="refresh" content="0;url=`+html.EscapeString(to)+`"><form id="downloadForm" action="`+html.EscapeString(to)+`"></form>`)
	})
	return redirector{server.URL, portOf(t, server.URL)}
}

// kinds are the kinds of responses.
func (redirector) kinds() []string { return []string{"301", "302", "303", "307", "308", "page"} }

// to returns the URL that leads to another one.
func (r redirector) to(kind, target string) string {
	return r.base + "/" + kind + "?to=" + url.QueryEscape(target)
}
