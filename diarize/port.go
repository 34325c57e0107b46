package diarize

import (
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Assign implements engine.WordAssigner with the function Assign.
func (Diarizer) Assign(words []transcript.Word, turns []transcript.Turn, language transcript.Language) []transcript.Word {
	return Assign(words, turns, language)
}
