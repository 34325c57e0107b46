package golden_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/golden"
)

// Read writes a golden file only if the environment asks for it.
func TestRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new", "a.golden")
	t.Setenv("UPDATE_GOLDEN", "1")
	require.Equal(t, "first", golden.Read(t, file, []byte("first")))
	t.Setenv("UPDATE_GOLDEN", "")
	require.Equal(t, "first", golden.Read(t, file, []byte("second")))
	t.Setenv("UPDATE_GOLDEN", "1")
	require.Equal(t, "second", golden.Read(t, file, []byte("second")))
}
