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

// Store passes the cases of a store with several users.
func TestSharedStore(t *testing.T) {
	t.Parallel()
	enginetest.TestSharedStore(t, func(t *testing.T) (one, other engine.Store) {
		s := open(t)
		return s, s
	})
}
