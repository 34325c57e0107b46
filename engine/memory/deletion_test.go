package memory_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/memory"
)

// A deleted recording leaves nothing in a dump.
func TestDeletion(t *testing.T) {
	t.Parallel()
	enginetest.TestDeletion(t, func(t *testing.T) enginetest.Erasable {
		s := memory.NewStore()
		return enginetest.Erasable{Store: s, Blobs: memory.NewBlobs(), Contents: func() string {
			var w bytes.Buffer
			require.NoError(t, s.Dump(&w))
			return w.String()
		}}
	})
}
