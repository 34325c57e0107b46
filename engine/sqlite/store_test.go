package sqlite_test

import (
	"testing"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
)

// Store passes the conformance suite.
func TestStore(t *testing.T) {
	t.Parallel()
	enginetest.TestStore(t, func(t *testing.T) engine.Store { return open(t) })
}
