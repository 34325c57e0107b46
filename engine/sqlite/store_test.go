package sqlite_test

import (
	"testing"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
)

// The store keeps the contract of every store.
func TestStore(t *testing.T) {
	t.Parallel()
	enginetest.TestStore(t, func(t *testing.T) engine.Store { return open(t) })
}
