package fetch_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fetch"
)

const notPublic = "url must resolve to a public address"

// guarded returns a client that may connect to the given ports of 127.0.0.1, and otherwise only to public addresses.
func guarded(dns *nameServer, ports ...uint16) *fetch.Client {
	return fetch.New(fetch.Config{
		AllowPrefixes: []netip.Prefix{loopback4()}, AllowPorts: ports, Resolver: dns.resolver(),
	})
}

// Fetch never connects to a special address, whether it is in the URL, in a DNS answer, or in a redirect. The message is
// always the same.
func TestSpecialAddressesAreNotConnectedTo(t *testing.T) {
	t.Parallel()
	trap := newCanary(t, "127.0.0.1:0")
	dns := newNameServer()
	redirect := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
	})
	addresses := specialAddresses()
	for i, s := range addresses {
		dns.add(fmt.Sprintf("n%d.test", i), []netip.Addr{netip.MustParseAddr(s)})
	}
	public := fetch.New(fetch.Config{AllowPorts: []uint16{trap.port()}, Resolver: dns.resolver()})
	hop := guarded(dns, portOf(t, redirect.URL), trap.port())

	for i, s := range addresses {
		_, _, err := get(public, literalURL(s, trap.port()))
		requireError(t, err, engine.CodeNotPublic, false, notPublic)

		if hasIPv6(t) || netip.MustParseAddr(s).Unmap().Is4() {
			_, _, err = get(public, literalURL(fmt.Sprintf("n%d.test", i), trap.port()))
			requireError(t, err, engine.CodeNotPublic, false, notPublic)
		}
		if netip.MustParseAddr(s).Unmap().String() != "127.0.0.1" {
			_, _, err = get(hop, redirect.URL+"/?to="+literalURL(s, trap.port()))
			requireError(t, err, engine.CodeNotPublic, false, notPublic)
		}
	}
	trap.requireSilent(t)
}

// Unusual spellings of loopback are refused, both directly and in a redirect.
func TestObfuscatedHostsAreNotConnectedTo(t *testing.T) {
	t.Parallel()
	trap := newCanary(t, "127.0.0.1:0")
	redirect := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", r.URL.Query().Get("to"))
		w.WriteHeader(http.StatusFound)
	})
	hop := guarded(newNameServer(), portOf(t, redirect.URL))
	public := fetch.New(fetch.Config{AllowPorts: []uint16{trap.port()}})
	for _, host := range []string{
		"0x7f.1", "0x7f000001", "2130706433", "017700000001", "0177.0.0.1", "127.1", "127.0.1", "127.0.0.01", "0", "0x0",
		"127.0.0.1.", "localhost", "localhost.", "LOCALHOST", "127。0。0。1", "\uff11\uff12\uff17.0.0.1", "①②⑦.⓪.⓪.①",
		"[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::1%25lo]", "[::127.0.0.1]",
		"user@127.0.0.1", "8.8.8.8@127.0.0.1",
	} {
		url := fmt.Sprintf("http://%s:%d/a.mp3", host, trap.port())
		_, _, err := get(public, url)
		require.Contains(t, []engine.Code{engine.CodeInvalid, engine.CodeNotPublic}, engine.CodeOf(err), url)
		_, _, err = get(hop, redirect.URL+"/?to="+url)
		require.Contains(t, []engine.Code{engine.CodeDownload, engine.CodeNotPublic}, engine.CodeOf(err), url)
	}
	trap.requireSilent(t)
}

// The canary detects connections, so the tests above would fail without the guard.
func TestCanaryHearsConnections(t *testing.T) {
	t.Parallel()
	trap := newCanary(t, "127.0.0.1:0")
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		c, err := trap.Accept()
		if err == nil {
			cancel()
			_ = c.Close()
		}
	}()
	_, err := private(fetch.Config{}).Fetch(ctx, engine.FetchRequest{URL: literalURL("127.0.0.1", trap.port())}, io.Discard)
	require.Error(t, err)
	<-ctx.Done()
}

// A name that resolves to an allowed address first and to a private one later (DNS rebinding) is refused: in the next
// download, and in a redirect of the name to itself.
func TestRebindingIsNotFollowed(t *testing.T) {
	t.Parallel()
	var served atomic.Int32
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		served.Add(1)
		if r.URL.Path == "/again" {
			http.Redirect(w, r, "/secret", http.StatusFound)
			return
		}
		_, _ = w.Write(media())
	})
	port := portOf(t, server.URL)
	trap := newCanary(t, fmt.Sprintf("127.0.0.2:%d", port))
	good, bad := []netip.Addr{netip.MustParseAddr("127.0.0.1")}, []netip.Addr{netip.MustParseAddr("127.0.0.2")}
	dns := newNameServer()
	dns.add("flip.test", good, bad)
	dns.add("redirect.test", good, bad)
	client := guarded(dns, port)

	_, _, err := get(client, literalURL("flip.test", port))
	require.NoError(t, err)
	_, _, err = get(client, literalURL("flip.test", port))
	requireError(t, err, engine.CodeNotPublic, false, notPublic)

	_, _, err = get(client, fmt.Sprintf("http://redirect.test:%d/again", port))
	requireError(t, err, engine.CodeNotPublic, false, notPublic)
	require.EqualValues(t, 2, served.Load())
	trap.requireSilent(t)
}

// If a name resolves to private and allowed addresses, Fetch connects only to the allowed one.
func TestMixedAnswersReachOnlyTheAllowed(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(media()) })
	port := portOf(t, server.URL)
	trap := newCanary(t, fmt.Sprintf("127.0.0.2:%d", port))
	dns := newNameServer()
	dns.add("mixed.test", []netip.Addr{netip.MustParseAddr("127.0.0.2"), netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("127.0.0.2")})
	got, _, err := get(guarded(dns, port), literalURL("mixed.test", port))
	require.NoError(t, err)
	require.Equal(t, media(), got)
	trap.requireSilent(t)
}

// AllowPrivate allows loopback and private addresses, but no link-local address and no metadata service.
func TestAllowPrivateStillRefusesCredentials(t *testing.T) {
	t.Parallel()
	client := private(fetch.Config{})
	for _, s := range []string{
		"169.254.169.254", "169.254.170.2", "168.63.129.16", "100.100.100.200", "192.0.0.192", "0.0.0.0", "fe80::1",
		"fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "fd00:c1::a9fe:a9fe", "fd00:42::42", "::ffff:169.254.169.254",
		"64:ff9b::7f00:1",
	} {
		_, _, err := get(client, literalURL(s, 80))
		requireError(t, err, engine.CodeNotPublic, false, notPublic)
	}
}

// Config.Own is never connected to, by its address, by a name, through a redirect, or as another address of this machine.
func TestOwnListenersAreNotConnectedTo(t *testing.T) {
	t.Parallel()
	trap := newCanary(t, "127.0.0.1:0")
	port := trap.port()
	redirect := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		http.Redirect(w, &http.Request{}, literalURL("127.0.0.1", port), http.StatusFound)
	})
	dns := newNameServer()
	dns.add("own.test", []netip.Addr{netip.MustParseAddr("127.0.0.1")})
	for _, own := range []string{"127.0.0.1", "::ffff:127.0.0.1", "0.0.0.0", "::"} {
		cfg := fetch.Config{Own: []netip.AddrPort{netip.AddrPortFrom(netip.MustParseAddr(own), port)}, Resolver: dns.resolver()}
		client, send := private(cfg), sender(t, cfg)
		for _, target := range []string{literalURL("127.0.0.1", port), literalURL("::ffff:127.0.0.1", port), literalURL("own.test", port), redirect.URL} {
			_, _, err := get(client, target)
			requireError(t, err, engine.CodeNotPublic, false, notPublic)
			if target == redirect.URL {
				continue // webhooks follow none
			}
			requireError(t, client.Check(t.Context(), target), engine.CodeNotPublic, false, notPublic)
			_, err = send.Send(t.Context(), engine.SendRequest{URL: target})
			requireError(t, err, engine.CodeNotPublic, false, notPublic)
		}
	}
	trap.requireSilent(t)
	everywhere := private(fetch.Config{Own: []netip.AddrPort{netip.MustParseAddrPort(fmt.Sprintf("0.0.0.0:%d", port))}})
	addresses, err := net.InterfaceAddrs()
	require.NoError(t, err)
	for _, a := range addresses {
		_, _, err := get(everywhere, literalURL(netip.MustParsePrefix(a.String()).Addr().WithZone("").String(), port))
		requireError(t, err, engine.CodeNotPublic, false, notPublic)
	}
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(media()) })
	_, _, err = get(everywhere, server.URL)
	require.NoError(t, err, "another port")
}

// A Sender says whether the receiver is private, also on a connection that it reuses.
func TestSenderTellsPrivateReceivers(t *testing.T) {
	t.Parallel()
	server := serve(t, func(http.ResponseWriter, *http.Request) {})
	s := sender(t, fetch.Config{})
	for range 3 {
		res, err := s.Send(t.Context(), engine.SendRequest{URL: server.URL})
		require.NoError(t, err)
		require.True(t, res.Private)
	}
}

// AllowPrefixes allows its addresses, also mapped into IPv6, on the allowed ports only.
func TestAllowPrefixes(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(media()) })
	port := portOf(t, server.URL)
	client := fetch.New(fetch.Config{AllowPrefixes: []netip.Prefix{loopback4()}, AllowPorts: []uint16{port}})
	for _, host := range []string{"127.0.0.1", "::ffff:127.0.0.1"} {
		got, _, err := get(client, literalURL(host, port))
		require.NoError(t, err)
		require.Equal(t, media(), got)
	}
	_, _, err := get(client, literalURL("127.0.0.2", port))
	requireError(t, err, engine.CodeNotPublic, false, notPublic)
	_, _, err = get(client, literalURL("127.0.0.1", 22))
	requireError(t, err, engine.CodeInvalid, false, "port 22")
}

// By default only ports that commonly serve media are allowed. Others are refused before the name is resolved.
func TestPorts(t *testing.T) {
	t.Parallel()
	dns := newNameServer()
	client := fetch.New(fetch.Config{Resolver: dns.resolver()})
	for _, port := range []uint16{1, 21, 22, 25, 81, 3306, 6379, 8000, 8081, 9200, 11211, 65535} {
		_, _, err := get(client, literalURL("media.test", port))
		requireError(t, err, engine.CodeInvalid, false, fmt.Sprintf("port %d", port))
	}
	for _, port := range []uint16{80, 443, 8080, 8443} {
		_, _, err := get(client, literalURL("media.test", port))
		requireError(t, err, engine.CodeDownload, false, "not found")
	}
}

// Fetch ignores the environment's proxy, because the guard would see only the proxy's address.
func TestProxyOfEnvironmentIsIgnored(t *testing.T) {
	trap := newCanary(t, "127.0.0.1:0")
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"} {
		t.Setenv(name, "http://"+trap.Addr().String())
	}
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(media()) })
	dns := newNameServer()
	dns.add("media.test", []netip.Addr{netip.MustParseAddr("127.0.0.1")})
	url := literalURL("media.test", portOf(t, server.URL)) // a name, because loopback addresses never use a proxy

	used, err := http.ProxyFromEnvironment(httptest.NewRequest(http.MethodGet, url, nil))
	require.NoError(t, err)
	require.NotNil(t, used, "an ordinary client would have used the proxy")

	got, _, err := get(private(fetch.Config{Resolver: dns.resolver()}), url)
	require.NoError(t, err)
	require.Equal(t, media(), got)
	trap.requireSilent(t)
}

// hasIPv6 reports whether this machine has IPv6. Without it, the resolver drops IPv6 addresses.
func hasIPv6(t *testing.T) bool {
	t.Helper()
	l, err := net.Listen("tcp6", "[::1]:0")
	if err != nil {
		return false
	}
	return l.Close() == nil
}
