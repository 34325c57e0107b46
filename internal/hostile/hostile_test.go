package hostile_test

import (
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/hostile"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// seeds are stand-ins for media.
var seeds = []hostile.File{
	{Name: "a.mp4", Bytes: []byte(strings.Repeat("ftypmoovmvhd", 100))},
	{Name: "b.mkv", Bytes: []byte(strings.Repeat("\x1a\x45\xdf\xa3\x44\x89", 100))},
	{Name: "short.wav", Bytes: []byte("RIFF")},
}

// The files are the same each time, except for another seed. Names are unique, and every mutation differs from its original.
func TestFiles(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it compresses and computes checksums")
	targets := []string{"http://127.0.0.1:81/a.mp3", "/etc/passwd"}
	files := hostile.Files(seeds, targets, 1000, 1)
	require.Len(t, files, 1000)
	require.Equal(t, files, hostile.Files(seeds, targets, 1000, 1))
	other := hostile.Files(seeds, targets, 1000, 2)
	names, kinds, same := map[string]bool{}, map[hostile.Kind]int{}, 0
	for i, f := range files {
		names[f.Name] = true
		kinds[f.Kind]++
		if f.Kind != hostile.Mutation {
			require.Equal(t, f, other[i])
			continue
		}
		if slices.Equal(f.Bytes, other[i].Bytes) {
			same++
		}
		require.LessOrEqual(t, len(f.Bytes), 8<<20, f.Name)
	}
	require.Len(t, names, 1000)
	require.Greater(t, kinds[hostile.Playlist], 50)
	require.Greater(t, kinds[hostile.Bomb], 15)
	require.LessOrEqual(t, same, kinds[hostile.Mutation]/2, "only the short seed stays as it is")
}

// Each playlist names its target, its host, or the port.
func TestPlaylistsNameTheirTargets(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it compresses and computes checksums")
	for _, f := range hostile.Files(seeds, []string{"http://192.0.2.7:8181/a.mp3"}, 25, 1) {
		text := strings.ReplaceAll(string(f.Bytes), "\x00", "") // UTF-16
		require.Contains(t, text, "192.0.2.7:8181", f.Name)
	}
}

// recorder is a testing.TB that counts failures.
type recorder struct {
	testing.TB
	failures int
}

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.failures++ }

// A canary detects a connection on each of its addresses.
func TestCanary(t *testing.T) {
	t.Parallel()
	canary := hostile.Listen(t)
	canary.RequireSilent(t)
	for _, l := range canary {
		conn, err := net.Dial("tcp", l.Addr().String())
		require.NoError(t, err)
		require.NoError(t, conn.Close())
	}
	r := &recorder{TB: t}
	canary.RequireSilent(r)
	require.Equal(t, len(canary), r.failures)
	require.Len(t, canary.URLs(), len(canary))
}
