package enginetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// editCases returns the claims about edits, and about deleting what was made of a transcript.
func editCases() []storeCase {
	return []storeCase{
		{"edits are listed by recording and revision", listsEdits},
		{"DeleteEdits removes the edits of one recording", deletesEdits},
		{"DeleteTranscript removes one transcript", deletesTranscript},
		{"DeleteSuggestions removes the suggestions of one recording", deletesSuggestions},
		{"DeleteTranslations removes all translations of one transcript", deletesTranslations},
	}
}

func newEdit(id string, recording engine.RecordingID, revision int) engine.Edit {
	return engine.Edit{ID: engine.EditID(id), RecordingID: recording, Revision: revision, CreatedAt: at(-revision)}
}

func editsOf(t *testing.T, s engine.Store, id engine.RecordingID) []string {
	t.Helper()
	return ids(read(t, s, func(tx engine.ReadTx) ([]engine.Edit, error) { return tx.Edits(id) }), func(e engine.Edit) engine.EditID { return e.ID })
}

func listsEdits(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutEdit, newEdit("c", "r", 10), newEdit("b", "r", 2), newEdit("a", "r", 3), newEdit("d", "other", 1))
	require.Equal(t, []string{"b", "a", "c"}, editsOf(t, s, "r"))
	write(t, s, engine.Tx.PutEdit, newEdit("b", "r", 11))
	require.Equal(t, []string{"a", "c", "b"}, editsOf(t, s, "r"))
	require.Empty(t, editsOf(t, s, "nowhere"))
}

func deletesEdits(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutEdit, newEdit("a", "r", 1), newEdit("b", "r", 2), newEdit("c", "other", 1))
	update(t, s, func(tx engine.Tx) error { return tx.DeleteEdits("r") })
	require.Empty(t, editsOf(t, s, "r"))
	require.Equal(t, []string{"c"}, editsOf(t, s, "other"))
	update(t, s, func(tx engine.Tx) error { return tx.DeleteEdits("r") })
}

func deletesTranscript(t *testing.T, s engine.Store) {
	other := sampleTranscript()
	other.ID = "other"
	write(t, s, engine.Tx.PutTranscript, sampleTranscript(), other)
	for range 2 {
		update(t, s, func(tx engine.Tx) error { return tx.DeleteTranscript("transcript") })
		_, err := tryRead(t, s, func(tx engine.ReadTx) (engine.Transcript, error) { return tx.Transcript("transcript") })
		requireCode(t, engine.CodeNotFound, err)
	}
	require.Equal(t, other, read(t, s, func(tx engine.ReadTx) (engine.Transcript, error) { return tx.Transcript("other") }))
}

func deletesSuggestions(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutSuggestion,
		engine.Suggestion{ID: "a", RecordingID: "r"}, engine.Suggestion{ID: "b", RecordingID: "r"}, engine.Suggestion{ID: "c", RecordingID: "other"})
	update(t, s, func(tx engine.Tx) error { return tx.DeleteSuggestions("r") })
	for id, want := range map[engine.RecordingID]int{"r": 0, "other": 1} {
		require.Len(t, read(t, s, func(tx engine.ReadTx) ([]engine.Suggestion, error) { return tx.Suggestions(id) }), want)
	}
	_, err := tryRead(t, s, func(tx engine.ReadTx) (engine.Suggestion, error) { return tx.Suggestion("a") })
	requireCode(t, engine.CodeNotFound, err)
}

func deletesTranslations(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutTranslation,
		engine.Translation{TranscriptID: "t", Language: "de"}, engine.Translation{TranscriptID: "t", Language: "fr"}, engine.Translation{TranscriptID: "tt", Language: "de"})
	update(t, s, func(tx engine.Tx) error { return tx.DeleteTranslations("t") })
	for _, c := range []struct {
		id       engine.TranscriptID
		language transcript.Language
		code     engine.Code
	}{{"t", "de", engine.CodeNotFound}, {"t", "fr", engine.CodeNotFound}, {"tt", "de", ""}} {
		_, err := tryRead(t, s, func(tx engine.ReadTx) (engine.Translation, error) { return tx.Translation(c.id, c.language) })
		require.Equal(t, c.code, engine.CodeOf(err))
	}
}
