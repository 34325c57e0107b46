package main

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// A secret file that other users can read is refused, as key files are.
func TestSecretFileMustBePrivate(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("files have no mode")
	}
	path := filepath.Join(t.TempDir(), "secrets")
	require.NoError(t, os.WriteFile(path, []byte("core 0123456789abcdef\n"), 0o600))
	_, err := readSecrets(path)
	require.NoError(t, err)
	for _, mode := range []os.FileMode{0o640, 0o604, 0o644} {
		require.NoError(t, os.Chmod(path, mode))
		_, err := readSecrets(path)
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err))
		require.ErrorContains(t, err, "Other users can read the secret file")
	}
}
