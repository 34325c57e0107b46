package files_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/files"
)

// Blobs fulfils the contract of engine.Blobs, with syncs.
func TestBlobs(t *testing.T) {
	t.Parallel()
	enginetest.TestBlobs(t, func(t *testing.T) engine.Blobs {
		b, err := files.New(t.TempDir(), files.Options{})
		require.NoError(t, err)
		return b
	})
}
