package sqlite_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// The types of network file systems match the kernel's constants.
func TestNetworkFileSystems(t *testing.T) {
	t.Parallel()
	refused := sqlite.NetworkFileSystems()
	for _, number := range []int64{unix.NFS_SUPER_MAGIC, unix.SMB_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, unix.AFS_SUPER_MAGIC, unix.CODA_SUPER_MAGIC} {
		require.Contains(t, refused, uint32(number))
	}
	for _, number := range []int64{unix.EXT4_SUPER_MAGIC, unix.TMPFS_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.OVERLAYFS_SUPER_MAGIC} {
		require.NotContains(t, refused, uint32(number))
	}
}
