package docs_test

import (
	"testing"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// A store is checked by the suite, as docs/embedding.md shows.
func TestStoreOfEmbeddingPage(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "engine/memory runs the same suite")
	enginetest.TestStore(t, func(t *testing.T) engine.Store {
		return openStore(t)
	})
}

func openStore(*testing.T) engine.Store { return memory.NewStore() }
