package engine

import (
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// What package engine_test needs to see of the inside.
var (
	EmitOutput      = (*Engine).emitOutput
	Sign            = sign
	Fraction        = fraction
	IndexOutput     = indexOutput
	IndexTitle      = indexTitle
	IndexTranscript = indexTranscript
)

// MapCitations is mapCitations of passages.
func MapCitations(text string, passages []transcript.Passage) (string, bool) {
	return mapCitations(text, citationsOf(passages))
}
