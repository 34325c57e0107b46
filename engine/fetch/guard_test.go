package fetch

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// The guard refuses every address with a zone, also if the address without it is public, private and allowed, or mapped into IPv6.
func TestGuardRefusesZones(t *testing.T) {
	t.Parallel()
	private := newGuard(Config{AllowPrivate: true})
	for _, address := range []string{"2606:4700:4700::1111", "::ffff:8.8.8.8", "::1", "::ffff:127.0.0.1", "fd00::1"} {
		plain, zoned := netip.MustParseAddr(address), netip.MustParseAddr(address+"%eth0")
		require.NoError(t, private.permit(netip.AddrPortFrom(plain, 80)), address)
		require.True(t, private.allowsAddr(plain), address)
		require.False(t, private.allowsAddr(zoned), address)
		for _, check := range []func(string) error{
			private.checkLiteral,
			func(to string) error { return private.control(t.Context(), "tcp6", to, nil) },
		} {
			require.NoError(t, check(netip.AddrPortFrom(plain, 80).String()))
			require.Equal(t, engine.CodeNotPublic, engine.CodeOf(check(netip.AddrPortFrom(zoned, 80).String())), address)
		}
	}
}

// The guard's control refuses what is not TCP, or is no address.
func TestGuardRefusesOtherNetworks(t *testing.T) {
	t.Parallel()
	g := newGuard(Config{})
	require.NoError(t, g.control(t.Context(), "tcp4", "8.8.8.8:80", nil))
	for _, c := range [][2]string{{"udp4", "8.8.8.8:80"}, {"unix", "/tmp/socket"}, {"tcp4", "media.example:80"}} {
		require.Equal(t, engine.CodeNotPublic, engine.CodeOf(g.control(t.Context(), c[0], c[1], nil)), c)
	}
}
