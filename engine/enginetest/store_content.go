package enginetest

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/clips"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// contentCases returns the claims about members, prompts, outputs, suggestions, imports, and translations. Oldest first
// means by CreatedAt, then by ID.
func contentCases() []storeCase {
	return []storeCase{
		{"members of a space are listed by id without duplicates", membersOfSpace},
		{"prompts of a space are listed oldest first, without moved ones", promptsOfSpace},
		{"outputs of a recording are listed oldest first, without moved ones", outputsOfRecording},
		{"suggestions of a recording are listed by score, highest first, then by id", suggestionsOfRecording},
		{"imports of a feed item in a space are listed oldest first", importsOfItem},
		{"a translation is found by transcript and language, and Put replaces it", translationsByLanguage},
	}
}

// byAge holds rows with equal and different times; oldestFirst holds their ids in the order of a list.
var byAge = []struct {
	id      string
	seconds int
}{{"c", 0}, {"b", 1}, {"a", 1}, {"d", -1}, {"ä", 1}, {"B", 1}}

var oldestFirst = []string{"d", "c", "B", "a", "b", "ä"}

// requireList fails the test unless the list of a group has the wanted ids.
func requireList[G, T any, ID ~string](t *testing.T, s engine.Store, list func(engine.ReadTx, G) ([]T, error), id func(T) ID, group G, want []string) {
	t.Helper()
	rows := read(t, s, func(tx engine.ReadTx) ([]T, error) { return list(tx, group) })
	require.Equal(t, want, ids(rows, id), "%v", group)
}

func membersOfSpace(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutSpace, engine.Space{ID: "space"}, engine.Space{ID: "other"})
	for range 2 {
		update(t, s, func(tx engine.Tx) error {
			return errors.Join(tx.AddMember("space", "b"), tx.AddMember("space", "ä"), tx.AddMember("space", "a"), tx.AddMember("other", "c"), tx.AddMember("space", "B"))
		})
	}
	id := func(id engine.UserID) engine.UserID { return id }
	requireList(t, s, engine.ReadTx.Members, id, "space", []string{"B", "a", "b", "ä"})
	requireList(t, s, engine.ReadTx.Members, id, "other", []string{"c"})
	requireList(t, s, engine.ReadTx.Members, id, "none", []string{})
	require.ErrorIs(t, s.Update(t.Context(), func(tx engine.Tx) error { return errors.Join(tx.AddMember("other", "late"), errTest) }), errTest)
	requireList(t, s, engine.ReadTx.Members, id, "other", []string{"c"})
}

func promptsOfSpace(t *testing.T, s engine.Store) {
	for _, row := range byAge {
		write(t, s, engine.Tx.PutPrompt, engine.Prompt{ID: engine.PromptID(row.id), SpaceID: "space", CreatedAt: at(row.seconds)})
	}
	write(t, s, engine.Tx.PutPrompt, engine.Prompt{ID: "moves", SpaceID: "space"}, engine.Prompt{ID: "moves", SpaceID: "other"})
	id := func(p engine.Prompt) engine.PromptID { return p.ID }
	requireList(t, s, engine.ReadTx.Prompts, id, "space", oldestFirst)
	requireList(t, s, engine.ReadTx.Prompts, id, "other", []string{"moves"})
	requireList(t, s, engine.ReadTx.Prompts, id, "none", []string{})
}

func outputsOfRecording(t *testing.T, s engine.Store) {
	output := func(id string, recording engine.RecordingID, seconds int) engine.Output {
		return engine.Output{ID: engine.OutputID(id), RecordingID: recording, Status: engine.OutputQueued, CreatedAt: at(seconds)}
	}
	for _, row := range byAge {
		write(t, s, engine.Tx.PutOutput, output(row.id, "recording", row.seconds))
	}
	write(t, s, engine.Tx.PutOutput, output("moves", "recording", 0), output("moves", "other", 0))
	id := func(o engine.Output) engine.OutputID { return o.ID }
	requireList(t, s, engine.ReadTx.Outputs, id, "recording", oldestFirst)
	requireList(t, s, engine.ReadTx.Outputs, id, "other", []string{"moves"})
	requireList(t, s, engine.ReadTx.Outputs, id, "none", []string{})
}

func suggestionsOfRecording(t *testing.T, s engine.Store) {
	suggestion := func(id string, recording engine.RecordingID, score int) engine.Suggestion {
		return engine.Suggestion{ID: engine.SuggestionID(id), RecordingID: recording, Suggestion: clips.Suggestion{Score: score}, CreatedAt: at(score)}
	}
	write(t, s, engine.Tx.PutSuggestion,
		suggestion("c", "recording", 50), suggestion("b", "recording", 100), suggestion("ä", "recording", 50), suggestion("a", "recording", 50),
		suggestion("d", "recording", 0), suggestion("rises", "recording", 9), suggestion("x", "other", 60), suggestion("rises", "recording", 51),
	)
	id := func(s engine.Suggestion) engine.SuggestionID { return s.ID }
	requireList(t, s, engine.ReadTx.Suggestions, id, "recording", []string{"b", "rises", "a", "c", "ä", "d"})
	requireList(t, s, engine.ReadTx.Suggestions, id, "other", []string{"x"})
	requireList(t, s, engine.ReadTx.Suggestions, id, "none", []string{})
}

func importsOfItem(t *testing.T, s engine.Store) {
	item := func(id string, space engine.SpaceID, feedItem string, seconds int) engine.Import {
		return engine.Import{ID: engine.ImportID(id), SpaceID: space, FeedItem: feedItem, Status: engine.ImportQueued, CreatedAt: at(seconds)}
	}
	for _, row := range byAge {
		write(t, s, engine.Tx.PutImport, item(row.id, "space", sampleText, row.seconds))
	}
	write(t, s, engine.Tx.PutImport,
		item("no item", "space", "", 0), item("x", "other", sampleText, 0), item("y", "space", "another", 0),
		item("loses it", "space", sampleText, 0), item("loses it", "space", "", 0), item("finds it", "space", "", 0), item("finds it", "other", sampleText, -1),
	)
	for _, c := range []struct {
		space engine.SpaceID
		item  string
		want  []string
	}{
		{"space", sampleText, oldestFirst},
		{"space", "another", []string{"y"}},
		{"other", sampleText, []string{"finds it", "x"}},
		{"other", "another", []string{}},
		{"none", sampleText, []string{}},
	} {
		list := func(tx engine.ReadTx, item string) ([]engine.Import, error) { return tx.ImportsOfItem(c.space, item) }
		requireList(t, s, list, func(i engine.Import) engine.ImportID { return i.ID }, c.item, c.want)
	}
}

func translationsByLanguage(t *testing.T, s engine.Store) {
	for _, about := range []engine.TranscriptID{"one", "two"} {
		for _, language := range []transcript.Language{"de", "no"} {
			write(t, s, engine.Tx.PutTranslation, engine.Translation{TranscriptID: about, Language: language, Glossary: string(about) + string(language)})
		}
	}
	again := engine.Translation{TranscriptID: "one", Language: "no", Glossary: "new", Utterances: []transcript.Utterance{{Text: "hei"}}}
	write(t, s, engine.Tx.PutTranslation, again)
	get := func(id engine.TranscriptID, language transcript.Language) (engine.Translation, error) {
		return tryRead(t, s, func(tx engine.ReadTx) (engine.Translation, error) { return tx.Translation(id, language) })
	}
	got, err := get("one", "no")
	require.NoError(t, err)
	require.Equal(t, again, got)
	got, err = get("two", "de")
	require.NoError(t, err)
	require.Equal(t, "twode", got.Glossary)
	for _, missing := range [][2]string{{"one", "fr"}, {"three", "de"}, {"de", "one"}} {
		_, err = get(engine.TranscriptID(missing[0]), transcript.Language(missing[1]))
		requireCode(t, engine.CodeNotFound, err)
	}
}
