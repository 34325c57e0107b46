//go:build unix

package record_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/record"
	"github.com/soundstage-dev/soundstage/engine"
)

// Only one recorder writes a folder at a time.
func TestOneWriter(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := create(t, dir, record.Options{})
	_, err := record.Create(dir, record.Options{To: "https://api.example.com"})
	require.Equal(t, engine.CodeConflict, engine.CodeOf(err))
	closed(t, r)
	closed(t, create(t, dir, record.Options{}))
}
