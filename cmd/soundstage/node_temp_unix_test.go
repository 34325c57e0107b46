//go:build unix

package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// A node that is killed leaves its temporary files, such as copies of media, to the next node on the machine, which removes them.
func TestKilledNodeLeavesTemporaryFiles(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it starts servers and programs")
	c := newCluster(t)
	temp := t.TempDir()
	c.env = []string{"TMPDIR=" + temp}
	files := func() (names []string) {
		entries, err := os.ReadDir(temp)
		require.NoError(t, err)
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	killed := c.worker()
	first := files()
	require.Len(t, first, 1)
	require.NoError(t, os.WriteFile(filepath.Join(temp, first[0], "media", "soundstage-1.media"), []byte("copy"), 0o600))
	c.end(killed, syscall.SIGKILL)
	require.Equal(t, first, files())

	second := c.worker()
	require.Len(t, files(), 1)
	require.NotEqual(t, first, files())
	c.end(second, syscall.SIGTERM)
	require.Empty(t, files())
}
