package diarize_test

import (
	"testing"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
)

// Diarizer passes the conformance suite of the port.
func TestConformance(t *testing.T) {
	t.Parallel()
	enginetest.TestDiarizer(t, func(*testing.T) engine.Diarizer { return diarize.Diarizer{} })
}
