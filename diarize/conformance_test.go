package diarize_test

import (
	"testing"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
)

// Diarizer passes the conformance suite of the port, with and without overlap.
func TestConformance(t *testing.T) {
	t.Parallel()
	for name, overlap := range map[string]bool{"without overlap": false, "with overlap": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			enginetest.TestDiarizer(t, func(*testing.T) engine.Diarizer { return diarize.Diarizer{Config: diarize.Config{Overlap: overlap}} })
		})
	}
}
