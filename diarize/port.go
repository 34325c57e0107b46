package diarize

import (
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Assign implements engine.WordAssigner: the engine gives words to speakers by this package's rules.
func (Diarizer) Assign(words []transcript.Word, turns []transcript.Turn) []transcript.Word {
	return Assign(words, turns)
}
