package fetch_test

import (
	"context"
	"fmt"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fetch"
)

// Check refuses a URL whose host is a special address, or a name with one among its addresses. The message is the
// specified one, and no connection is made.
func TestCheckRefusesWhatIsNotPublic(t *testing.T) {
	t.Parallel()
	trap := newCanary(t, "127.0.0.1:0")
	dns := newNameServer()
	client := fetch.New(fetch.Config{AllowPorts: []uint16{trap.port()}, Resolver: dns.resolver()})
	for i, s := range specialAddresses() {
		name := fmt.Sprintf("n%d.test", i)
		dns.add(name, []netip.Addr{netip.MustParseAddr("8.8.8.8"), netip.MustParseAddr(s)})
		hosts := []string{s}
		if hasIPv6(t) || netip.MustParseAddr(s).Unmap().Is4() {
			hosts = append(hosts, name)
		}
		for _, host := range hosts {
			err := client.Check(context.Background(), literalURL(host, trap.port()))
			requireError(t, err, engine.CodeNotPublic, false, "")
			require.Equal(t, "url must resolve to a public address", engine.Message(err))
		}
	}
	trap.requireSilent(t)
}

// Check accepts public addresses and names that don't resolve now. It refuses invalid URLs.
func TestCheckPasses(t *testing.T) {
	t.Parallel()
	dns := newNameServer()
	dns.add("public.test", []netip.Addr{netip.MustParseAddr("8.8.8.8")})
	dns.add("empty.test", nil)
	dns.addFailing("failing.test")
	client := fetch.New(fetch.Config{Resolver: dns.resolver()})
	for _, url := range []string{
		"https://8.8.8.8/a.mp3", "http://[2606:4700:4700::1111]/a.mp3", "http://public.test/a.mp3", "https://PUBLIC.test.:8443/",
		"http://missing.test/a.mp3", "http://failing.test/a.mp3", "http://empty.test/", "http://bücher.test/",
	} {
		require.NoError(t, client.Check(context.Background(), url), url)
	}
	for _, url := range []string{"", "ftp://public.test/", "http://public.test:22/", "public.test/a.mp3"} {
		requireError(t, client.Check(context.Background(), url), engine.CodeInvalid, false, "url ")
	}
}

// Check accepts addresses that the configuration allows, but never cloud metadata addresses.
func TestCheckOfAllowedAddresses(t *testing.T) {
	t.Parallel()
	require.NoError(t, private(fetch.Config{}).Check(context.Background(), "http://127.0.0.1:9000/a.mp3"))
	require.NoError(t, fetch.New(fetch.Config{AllowPrefixes: []netip.Prefix{loopback4()}}).Check(context.Background(), "http://127.0.0.1/"))
	requireError(t, private(fetch.Config{}).Check(context.Background(), "http://169.254.169.254/"), engine.CodeNotPublic, false, notPublic)
}

// A canceled check is CodeCanceled, not success.
func TestCheckCanceled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := fetch.New(fetch.Config{Resolver: newNameServer().resolver()}).Check(ctx, "http://missing.test/")
	requireError(t, err, engine.CodeCanceled, false, "canceled")
}
