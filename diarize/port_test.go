package diarize_test

import (
	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/engine"
)

// A Diarizer is the engine's port, although this package doesn't know the engine.
var (
	_ engine.Diarizer     = diarize.Diarizer{}
	_ engine.WordAssigner = diarize.Diarizer{}
)
