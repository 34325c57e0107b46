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

// A URL whose host is a special address, or a name with one among its addresses, is refused with the specified sentence and
// without a connection.
func TestCheckRefusesWhatIsNotPublic(t *testing.T) {
	t.Parallel()
	trap := newCanary(t, "127.0.0.1:0")
	dns := newNameServer()
	client := fetch.New(fetch.Config{AllowPorts: []uint16{trap.port()}, Resolver: dns.resolver()})
	for i, s := range specialAddresses() {
		name := fmt.Sprintf("n%d.test", i)
		dns.add(name, []netip.Addr{netip.MustParseAddr("8.8.8.8"), netip.MustParseAddr(s)})
		hosts := []string{s}
		if has6(t) || netip.MustParseAddr(s).Unmap().Is4() {
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

// A public address passes, and so does a name that can't be resolved now; a URL that never can be used doesn't.
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
	for _, url := range []string{"", "ftp://public.test/", "http://0x7f.1/", "http://public.test:22/", "public.test/a.mp3"} {
		requireError(t, client.Check(context.Background(), url), engine.CodeInvalid, false, "url ")
	}
}

// What the configuration lets be reached passes too; where clouds keep credentials doesn't.
func TestCheckOfAllowedAddresses(t *testing.T) {
	t.Parallel()
	require.NoError(t, private(fetch.Config{}).Check(context.Background(), "http://127.0.0.1:9000/a.mp3"))
	require.NoError(t, fetch.New(fetch.Config{AllowPrefixes: []netip.Prefix{loopback4()}}).Check(context.Background(), "http://127.0.0.1/"))
	requireError(t, private(fetch.Config{}).Check(context.Background(), "http://169.254.169.254/"), engine.CodeNotPublic, false, notPublic)
}

// A check that is canceled says so, and not that all is well.
func TestCheckCanceled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := fetch.New(fetch.Config{Resolver: newNameServer().resolver()}).Check(ctx, "http://missing.test/")
	requireError(t, err, engine.CodeCanceled, false, "canceled")
}
