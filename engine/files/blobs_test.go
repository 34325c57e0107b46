package files_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/files"
)

// Blobs in a folder keep what all Blobs promise, with every sync that they make.
func TestBlobs(t *testing.T) {
	t.Parallel()
	enginetest.TestBlobs(t, func(t *testing.T) engine.Blobs {
		b, err := files.New(t.TempDir(), files.Options{})
		require.NoError(t, err)
		return b
	})
}
