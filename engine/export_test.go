package engine

// What package engine_test needs to see of the inside.
var (
	EmitOutput      = (*Engine).emitOutput
	Sign            = sign
	Fraction        = fraction
	IndexOutput     = indexOutput
	IndexTitle      = indexTitle
	IndexTranscript = indexTranscript

	SuggestClips     = suggestClips
	CheckSuggestions = checkSuggestions
)

// MapCitations is mapCitations of passages.
func MapCitations(text string, passages []Passage) (string, bool) {
	return mapCitations(text, citationsOf(passages))
}
