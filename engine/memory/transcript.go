package memory

import (
	"slices"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

func (tx *readTx) Transcript(id engine.TranscriptID) (engine.Transcript, error) {
	return get(tx, tx.transcripts, id)
}

func (tx *writeTx) PutTranscript(t engine.Transcript) error {
	return put(tx, tx.transcripts, t.ID, t)
}

func (tx *writeTx) DeleteTranscript(id engine.TranscriptID) error {
	return remove(tx, tx.transcripts, id)
}

func cloneTranscript(t engine.Transcript) engine.Transcript {
	t.BoostedWords = slices.Clone(t.BoostedWords)
	t.Spellings = cloneSpellings(t.Spellings)
	t.Utterances = cloneUtterances(t.Utterances)
	t.CreatedAt, t.UpdatedAt = utc(t.CreatedAt), utc(t.UpdatedAt)
	return t
}

// cloneUtterances keeps the words of all utterances in one allocation, because an hour has hundreds of utterances.
func cloneUtterances(utterances []transcript.Utterance) []transcript.Utterance {
	utterances = slices.Clone(utterances)
	size := 0
	for i := range utterances {
		size += len(utterances[i].Words)
	}
	words := make([]transcript.Word, 0, size)
	for i := range utterances {
		if given := utterances[i].Words; given != nil {
			from := len(words)
			words = append(words, given...)
			utterances[i].Words = slices.Clip(words[from:])
		}
	}
	return utterances
}
