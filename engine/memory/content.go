package memory

import (
	"cmp"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// This file has the tables of prompts, outputs, suggestions, and translations.

// translationKey identifies a translation.
type translationKey struct {
	transcript engine.TranscriptID
	language   transcript.Language
}

func (tx *readTx) Prompt(id engine.PromptID) (engine.Prompt, error) { return get(tx, tx.prompts, id) }

func (tx *readTx) Prompts(id engine.SpaceID) ([]engine.Prompt, error) {
	return list(tx, tx.prompts, tx.promptsByAge, id)
}

func (tx *writeTx) PutPrompt(p engine.Prompt) error { return put(tx, tx.prompts, p.ID, p) }

func (tx *readTx) Output(id engine.OutputID) (engine.Output, error) { return get(tx, tx.outputs, id) }

func (tx *readTx) Outputs(id engine.RecordingID) ([]engine.Output, error) {
	return list(tx, tx.outputs, tx.outputsByAge, id)
}

func (tx *writeTx) PutOutput(o engine.Output) error { return put(tx, tx.outputs, o.ID, o) }

func (tx *readTx) Suggestion(id engine.SuggestionID) (engine.Suggestion, error) {
	return get(tx, tx.suggestions, id)
}

func (tx *readTx) Suggestions(id engine.RecordingID) ([]engine.Suggestion, error) {
	return list(tx, tx.suggestions, tx.suggestionsByScore, id)
}

func (tx *writeTx) PutSuggestion(s engine.Suggestion) error { return put(tx, tx.suggestions, s.ID, s) }

func (tx *writeTx) DeleteSuggestions(id engine.RecordingID) error {
	return removeGroup(tx, tx.suggestions, tx.suggestionsByScore, id, func(s *engine.Suggestion) engine.SuggestionID { return s.ID })
}

func (tx *readTx) Translation(id engine.TranscriptID, language transcript.Language) (engine.Translation, error) {
	return get(tx, tx.translations, translationKey{id, language})
}

func (tx *writeTx) PutTranslation(t engine.Translation) error {
	return put(tx, tx.translations, translationKey{t.TranscriptID, t.Language}, t)
}

func (tx *writeTx) DeleteTranslations(id engine.TranscriptID) error {
	return removeGroup(tx, tx.translations, tx.translationsByLanguage, id, func(t *engine.Translation) translationKey {
		return translationKey{t.TranscriptID, t.Language}
	})
}

func translationTranscript(t *engine.Translation) engine.TranscriptID { return t.TranscriptID }
func byLanguage(a, b *engine.Translation) int                         { return cmp.Compare(a.Language, b.Language) }

func translationName(t translationKey) string { return pair(t.transcript, t.language) }

func promptSpace(p *engine.Prompt) engine.SpaceID                 { return p.SpaceID }
func byPromptAge(a, b *engine.Prompt) int                         { return byAge(a.CreatedAt, a.ID, b.CreatedAt, b.ID) }
func outputRecording(o *engine.Output) engine.RecordingID         { return o.RecordingID }
func byOutputAge(a, b *engine.Output) int                         { return byAge(a.CreatedAt, a.ID, b.CreatedAt, b.ID) }
func suggestionRecording(s *engine.Suggestion) engine.RecordingID { return s.RecordingID }

func byScore(a, b *engine.Suggestion) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(string(a.ID), string(b.ID)))
}

func clonePrompt(p engine.Prompt) engine.Prompt {
	p.CreatedAt = utc(p.CreatedAt)
	return p
}

func cloneOutput(o engine.Output) engine.Output {
	o.CreatedAt, o.UpdatedAt = utc(o.CreatedAt), utc(o.UpdatedAt)
	return o
}

func cloneSuggestion(s engine.Suggestion) engine.Suggestion {
	s.CreatedAt = utc(s.CreatedAt)
	return s
}

func cloneTranslation(t engine.Translation) engine.Translation {
	t.Utterances = cloneUtterances(t.Utterances)
	t.CreatedAt = utc(t.CreatedAt)
	return t
}
