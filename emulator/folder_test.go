package emulator

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A temporary folder that somebody deletes, alone or with its parent, is created again.
func TestDeletedFolderIsCreatedAgain(t *testing.T) {
	t.Parallel()
	f := &folder{parent: filepath.Join(t.TempDir(), "tmp")}
	require.NoError(t, os.Mkdir(f.parent, 0o700))
	path, err := f.path()
	require.NoError(t, err)
	for _, deleted := range []string{path, f.parent} {
		require.NoError(t, os.RemoveAll(deleted))
		path, err = f.path()
		require.NoError(t, err)
		require.DirExists(t, path)
	}
	same, err := f.path()
	require.NoError(t, err)
	require.Equal(t, path, same)
	require.NoError(t, f.close())
	require.NoDirExists(t, path)
}
