package memory_test

import (
	"testing"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/memory"
)

// Blobs passes the conformance suite.
func TestBlobs(t *testing.T) {
	t.Parallel()
	enginetest.TestBlobs(t, func(*testing.T) engine.Blobs { return memory.NewBlobs() })
}
