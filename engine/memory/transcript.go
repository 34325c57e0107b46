package memory

import (
	"slices"

	"github.com/soundstage-dev/soundstage/engine"
)

func (tx *readTx) Transcript(id engine.TranscriptID) (engine.Transcript, error) {
	return get(tx, tx.transcripts, id)
}

func (tx *writeTx) PutTranscript(t engine.Transcript) error {
	return put(tx, tx.transcripts, t.ID, t)
}

func cloneTranscript(t engine.Transcript) engine.Transcript {
	t.BoostedWords = slices.Clone(t.BoostedWords)
	t.Spellings = cloneSpellings(t.Spellings)
	t.Utterances = cloneUtterances(t.Utterances)
	t.CreatedAt, t.UpdatedAt = utc(t.CreatedAt), utc(t.UpdatedAt)
	return t
}

func cloneUtterances(utterances []engine.Utterance) []engine.Utterance {
	utterances = slices.Clone(utterances)
	for i := range utterances {
		utterances[i].Words = slices.Clone(utterances[i].Words)
	}
	return utterances
}
