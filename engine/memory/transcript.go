package memory

import (
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

func (tx *readTx) Transcript(id engine.TranscriptID) (engine.Transcript, error) {
	return get(tx, tx.transcripts, id)
}

func (tx *readTx) TranscriptsOf(id engine.RecordingID) ([]engine.TranscriptID, error) {
	if err := tx.checkOpen(); err != nil {
		return nil, err
	}
	ids := []engine.TranscriptID{}
	for t := range tx.transcriptsByID.ascend(tx, id) {
		ids = append(ids, t.ID)
	}
	return ids, nil
}

func (tx *writeTx) PutTranscript(t engine.Transcript) error {
	return put(tx, tx.transcripts, t.ID, t)
}

func (tx *writeTx) DeleteTranscript(id engine.TranscriptID) error {
	return remove(tx, tx.transcripts, id)
}

func transcriptRecording(t *engine.Transcript) (engine.RecordingID, bool) {
	return t.RecordingID, t.RecordingID != ""
}

func byTranscriptID(a, b *engine.Transcript) int { return strings.Compare(string(a.ID), string(b.ID)) }

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
