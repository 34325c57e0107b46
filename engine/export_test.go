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

// ChoosePassages is choosePassages of recordings that have these transcripts, titles and names of speakers.
func ChoosePassages(question string, recordings []RecordingTranscript, budget int) []Passage {
	var all []grounding
	for _, r := range recordings {
		all = append(all, grounding{r.Recording, r.Transcript, r.Names})
	}
	return choosePassages(question, all, budget)
}

// MapCitations is mapCitations of passages.
func MapCitations(text string, passages []Passage) (string, bool) {
	return mapCitations(text, citationsOf(passages))
}
