package diarize_test

import (
	"testing"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
)

// The Diarizer keeps what the port promises.
func TestConformance(t *testing.T) {
	t.Parallel()
	enginetest.TestDiarizer(t, func(*testing.T) engine.Diarizer { return diarize.Diarizer{} })
}
