package diarize

import "github.com/soundstage-dev/soundstage/engine"

var _ engine.WordAssigner = Diarizer{}

// Assign implements engine.WordAssigner: the engine gives words to speakers by this package's rules.
func (Diarizer) Assign(words []engine.Word, turns []engine.Turn) []engine.Word {
	return Assign(words, turns)
}
