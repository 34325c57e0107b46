package enginetest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// tagCases returns the claims about external ids and metadata.
func tagCases() []storeCase {
	return []storeCase{
		{"a recording is found by its space and external id", recordingByExternalID},
		{"a recording with a changed external id or space is found by the new ones", externalIDMoves},
		{"imports are found by space and external id, oldest first", importsByExternalID},
		{"a list has the recordings with an external id", listsByExternalID},
		{"a list has the recordings with every wanted name and value", listsByMetadata},
		{"pages of recordings with metadata list each one exactly once", pagesByMetadata},
	}
}

// tagged returns a recording with an external id and metadata of the form name, value, name, value.
func tagged(r engine.Recording, id string, metadata ...string) engine.Recording {
	r.ExternalID = id
	for i := 0; i < len(metadata); i += 2 {
		if r.Metadata == nil {
			r.Metadata = map[string]string{}
		}
		r.Metadata[metadata[i]] = metadata[i+1]
	}
	return r
}

func requireExternal(t *testing.T, s engine.Store, want, space, id string) {
	t.Helper()
	r, err := tryRead(t, s, func(tx engine.ReadTx) (engine.Recording, error) {
		return tx.RecordingByExternalID(engine.SpaceID(space), id)
	})
	if want == "" {
		requireCode(t, engine.CodeNotFound, err)
		return
	}
	require.NoError(t, err)
	require.Equal(t, want, string(r.ID))
}

func recordingByExternalID(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutRecording, numbered([]engine.Recording{
		tagged(newRecording("a", "one", at(0)), "x"), tagged(newRecording("b", "two", at(0)), "x"), tagged(newRecording("c", "one", at(0)), sampleText),
		newRecording("d", "one", at(0)), tagged(newRecording("e", "one", at(0)), "X"),
	})...)
	requireExternal(t, s, "a", "one", "x")
	requireExternal(t, s, "b", "two", "x")
	requireExternal(t, s, "c", "one", sampleText)
	requireExternal(t, s, "e", "one", "X")
	requireExternal(t, s, "", "three", "x")
	requireExternal(t, s, "", "one", "x ")
}

func externalIDMoves(t *testing.T, s engine.Store) {
	r := tagged(newRecording("r", "one", at(0)), "x")
	write(t, s, engine.Tx.PutRecording, r)
	r.ExternalID = "y"
	write(t, s, engine.Tx.PutRecording, r)
	requireExternal(t, s, "", "one", "x")
	requireExternal(t, s, "r", "one", "y")
	r.SpaceID = "two"
	write(t, s, engine.Tx.PutRecording, r)
	requireExternal(t, s, "", "one", "y")
	requireExternal(t, s, "r", "two", "y")
	r.ExternalID = ""
	write(t, s, engine.Tx.PutRecording, r)
	requireExternal(t, s, "", "two", "y")
}

func importsByExternalID(t *testing.T, s engine.Store) {
	of := func(id string, space engine.SpaceID, external string, created int) engine.Import {
		return engine.Import{ID: engine.ImportID(id), SpaceID: space, Status: engine.ImportQueued, Tags: engine.Tags{ExternalID: external}, CreatedAt: at(created)}
	}
	write(t, s, engine.Tx.PutImport, of("b", "one", "x", 1), of("a", "one", "x", 1), of("c", "one", "x", 0), of("d", "two", "x", 0), of("e", "one", "", 0))
	found := read(t, s, func(tx engine.ReadTx) ([]engine.Import, error) { return tx.ImportsOfExternalID("one", "x") })
	require.Equal(t, []string{"c", "a", "b"}, ids(found, func(i engine.Import) engine.ImportID { return i.ID }))
	require.Empty(t, read(t, s, func(tx engine.ReadTx) ([]engine.Import, error) { return tx.ImportsOfExternalID("one", "y") }))
}

func listsByExternalID(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutRecording, numbered([]engine.Recording{
		tagged(newRecording("a", "one", at(0)), "x", "k", "v"), tagged(newRecording("b", "two", at(1)), "x"), tagged(newRecording("c", "one", at(2)), "y"),
		tagged(newRecording("d", "three", at(3)), "x"),
	})...)
	q := engine.RecordingQuery{Spaces: []engine.SpaceID{"one", "two"}, Tags: engine.Tags{ExternalID: "x"}, Limit: 10}
	require.Equal(t, []string{"b", "a"}, recordingIDs(t, s, q))
	q.Limit = 1
	require.Equal(t, []string{"b"}, recordingIDs(t, s, q))
	q.After = after(newRecording("b", "two", at(1)))
	require.Equal(t, []string{"a"}, recordingIDs(t, s, q))
	q.After, q.Limit, q.Tags.Metadata = nil, 10, map[string]string{"k": "v"}
	require.Equal(t, []string{"a"}, recordingIDs(t, s, q))
	q.Title = transcript.Fold("no such title")
	require.Empty(t, recordingIDs(t, s, q))
}

func listsByMetadata(t *testing.T, s engine.Store) {
	const odd = "q\"'\\ .$[0]\u2028<é🎙"
	write(t, s, engine.Tx.PutRecording, numbered([]engine.Recording{
		tagged(newRecording("a", "one", at(0)), "", "show", "news", odd, odd), tagged(newRecording("b", "one", at(1)), "", "show", "news"),
		tagged(newRecording("c", "one", at(2)), "", "show", "News"), newRecording("d", "one", at(3)), tagged(newRecording("e", "two", at(4)), "", "show", "news"),
		tagged(newRecording("f", "one", at(5)), "", "shows", "news", "empty", ""),
	})...)
	for _, c := range []struct {
		metadata map[string]string
		want     []string
	}{
		{nil, []string{"f", "d", "c", "b", "a"}},
		{map[string]string{}, []string{"f", "d", "c", "b", "a"}},
		{map[string]string{"show": "news"}, []string{"b", "a"}},
		{map[string]string{"show": "news", odd: odd}, []string{"a"}},
		{map[string]string{odd: odd}, []string{"a"}},
		{map[string]string{"empty": ""}, []string{"f"}},
		{map[string]string{"show": ""}, []string{}},
		{map[string]string{"none": ""}, []string{}},
	} {
		q := engine.RecordingQuery{Spaces: []engine.SpaceID{"one"}, Tags: engine.Tags{Metadata: c.metadata}, Limit: 10}
		require.Equal(t, c.want, recordingIDs(t, s, q), "%v", c.metadata)
	}
}

func pagesByMetadata(t *testing.T, s engine.Store) {
	var all []engine.Recording
	var want []string
	for i := range 60 {
		r := newRecording(fmt.Sprintf("r%02d", i), engine.SpaceID([]string{"one", "two"}[i%2]), at(-i))
		if i%3 == 0 {
			r = tagged(r, "", "third", "yes")
			want = append(want, string(r.ID))
		}
		all = append(all, r)
	}
	write(t, s, engine.Tx.PutRecording, numbered(all)...)
	q := engine.RecordingQuery{Spaces: []engine.SpaceID{"one", "two"}, Tags: engine.Tags{Metadata: map[string]string{"third": "yes"}}, Limit: 7}
	var seen []string
	for range 4 {
		page := listRecordings(t, s, q)
		if len(page) == 0 {
			break
		}
		for _, r := range page {
			seen = append(seen, string(r.ID))
		}
		q.After = after(page[len(page)-1])
	}
	require.Equal(t, want, seen)
}
