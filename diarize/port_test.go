package diarize_test

import (
	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/engine"
)

// Diarizer implements the engine's port, although this package doesn't import the engine.
var (
	_ engine.Diarizer     = diarize.Diarizer{}
	_ engine.WordAssigner = diarize.Diarizer{}
	_ engine.VoicePrinter = diarize.Diarizer{}
)
