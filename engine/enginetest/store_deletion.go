package enginetest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/search"
)

// deletionCases returns the claims about deleting recordings, speakers, and jobs, and about the lists that this needs.
func deletionCases() []storeCase {
	return []storeCase{
		{"a deleted recording is in no list, and its external id is free", deletedRecording},
		{"documents of a deleted recording are found no more, and others are", deletedDocuments},
		{"the rows about a recording are removed, and those of others stay", deletedRows},
		{"the rows about a recording are removed in batches of any size", deletedInBatches},
		{"a failed update removes nothing", failedDeletion},
		{"removing a missing row is not an error", deletedTwice},
		{"the deletion of a recording is found until it is removed", deletionOf},
		{"recordings before a time are listed oldest first, up to a limit", recordingsBefore},
		{"transcripts of a recording are listed by id, and those of URLs never", transcriptsOfRecording},
		{"renders of a recording are listed oldest first", rendersOfRecording},
		{"chats are listed for each recording that they use, oldest first", chatsOfRecording},
		{"a changed chat is listed for its new recordings only", chatMoves},
		{"a deleted speaker takes its assignments along", deletedSpeaker},
		{"jobs are found by their ref, and by what it begins with", jobsByRef},
	}
}

const allOf = 1000 // a limit beyond the rows of these tests

// rowsAbout writes rows of each noun about a recording with the id and the transcript id.
func rowsAbout(tx engine.Tx, id string) error {
	r, t := engine.RecordingID(id), engine.TranscriptID("t"+id)
	d := newDocument("d" + id)
	d.RecordingID = id
	return errors.Join(
		tx.PutRecording(engine.Recording{ID: r, SpaceID: "space", TranscriptID: t, TranscriptStatus: engine.TranscriptCompleted, CreatedAt: at(0)}),
		tx.PutTranscript(engine.Transcript{ID: t, RecordingID: r, Status: engine.TranscriptCompleted}),
		tx.PutTranscript(engine.Transcript{ID: t + " next", RecordingID: r, Status: engine.TranscriptQueued}),
		tx.PutTranslation(engine.Translation{TranscriptID: t, Language: "de"}), tx.PutTranslation(engine.Translation{TranscriptID: t, Language: "fr"}),
		tx.PutRender(newRender("r"+id, id, 0)), tx.PutOutput(engine.Output{ID: engine.OutputID("o" + id), RecordingID: r, Status: engine.OutputCompleted}),
		tx.PutSuggestion(engine.Suggestion{ID: engine.SuggestionID("s" + id), RecordingID: r}),
		tx.PutAssignment(engine.Assignment{RecordingID: r, Label: "Speaker 0", SpeakerID: "speaker"}),
		tx.PutAssignment(engine.Assignment{RecordingID: r, Label: "Speaker 1", SpeakerID: "speaker"}),
		tx.PutChat(newChat("c"+id, 0, r)), tx.PutDocument(d, inOnePart("word")),
	)
}

// rowsPerRecording is how many rows rowsAbout writes, without the recording.
const rowsPerRecording = 11

func newRender(id, recording string, seconds int) engine.Render {
	return engine.Render{ID: engine.RenderID(id), RecordingID: engine.RecordingID(recording), Status: engine.RenderRendering, CreatedAt: at(seconds)}
}

func newChat(id string, seconds int, recordings ...engine.RecordingID) engine.Chat {
	return engine.Chat{ID: engine.ChatID(id), RecordingIDs: recordings, Status: engine.ChatQueued, CreatedAt: at(seconds)}
}

// requireRows checks which of the rows of rowsAbout exist.
func requireRows(t *testing.T, s engine.Store, id string, want bool) {
	t.Helper()
	r, about := engine.RecordingID(id), engine.TranscriptID("t"+id)
	require.NoError(t, s.View(t.Context(), func(tx engine.ReadTx) error {
		_, transcript := tx.Transcript(about)
		_, german := tx.Translation(about, "de")
		_, render := tx.Render(engine.RenderID("r" + id))
		_, output := tx.Output(engine.OutputID("o" + id))
		_, suggestion := tx.Suggestion(engine.SuggestionID("s" + id))
		_, chat := tx.Chat(engine.ChatID("c" + id))
		for i, err := range []error{transcript, german, render, output, suggestion, chat} {
			require.Equal(t, want, err == nil, "row %d of %s: %v", i, id, err)
		}
		renders, err := tx.Renders(r)
		outputs, err2 := tx.Outputs(r)
		suggestions, err3 := tx.Suggestions(r)
		assignments, err4 := tx.Assignments(r)
		chats, err5 := tx.Chats(r)
		for i, n := range []int{len(renders), len(outputs), len(suggestions), len(assignments), len(chats)} {
			require.Equal(t, want, n > 0, "list %d of %s", i, id)
		}
		return errors.Join(err, err2, err3, err4, err5)
	}))
	require.Equal(t, want, hasPosting(t, s, "d"+id))
}

func hasPosting(t *testing.T, s engine.Store, document string) bool {
	t.Helper()
	for _, p := range postings(t, s, "word") {
		if string(p.Document.ID) == document {
			return true
		}
	}
	return false
}

func deletedRecording(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutRecording, numbered([]engine.Recording{
		tagged(newRecording("a", "one", at(0)), "x", "k", "v"), tagged(newRecording("b", "one", at(1)), "y", "k", "v"),
	})...)
	update(t, s, func(tx engine.Tx) error { return tx.DeleteRecording("a") })
	_, err := tryRead(t, s, func(tx engine.ReadTx) (engine.Recording, error) { return tx.Recording("a") })
	requireCode(t, engine.CodeNotFound, err)
	requireExternal(t, s, "", "one", "x")
	requireExternal(t, s, "b", "one", "y")
	q := engine.RecordingQuery{Spaces: []engine.SpaceID{"one"}, Limit: 10}
	require.Equal(t, []string{"b"}, recordingIDs(t, s, q))
	q.Tags.Metadata = map[string]string{"k": "v"}
	require.Equal(t, []string{"b"}, recordingIDs(t, s, q))
	write(t, s, engine.Tx.PutRecording, tagged(newRecording("c", "one", at(2)), "x"))
	requireExternal(t, s, "c", "one", "x")
}

func deletedDocuments(t *testing.T, s engine.Store) {
	update(t, s, func(tx engine.Tx) error { return errors.Join(rowsAbout(tx, "1"), rowsAbout(tx, "2")) })
	require.True(t, hasPosting(t, s, "d1"))
	update(t, s, func(tx engine.Tx) error { return tx.DeleteRecording("1") })
	require.False(t, hasPosting(t, s, "d1"))
	require.True(t, hasPosting(t, s, "d2"))
	update(t, s, func(tx engine.Tx) error {
		_, err := tx.DeleteRecordingRows("1", allOf)
		return err
	})
	again := newDocument("d1")
	again.RecordingID = "3"
	index(t, s, inOnePart("word"), again)
	require.True(t, hasPosting(t, s, "d1"))
	require.Equal(t, again, findPostings(t, s, search.PostingQuery{Spaces: []string{"space"}, Kind: search.DocumentTranscript, Term: "word"})[0].Document)
}

func deletedRows(t *testing.T, s engine.Store) {
	update(t, s, func(tx engine.Tx) error {
		return errors.Join(rowsAbout(tx, "1"), rowsAbout(tx, "2"), tx.PutChat(newChat("both", 1, "2", "1")))
	})
	update(t, s, func(tx engine.Tx) error {
		n, err := tx.DeleteRecordingRows("1", allOf)
		require.Contains(t, []int{rowsPerRecording + 1, rowsPerRecording + 2}, n) // with or without the document, which DeleteRecording may have removed
		return errors.Join(err, tx.DeleteRecording("1"))
	})
	requireRows(t, s, "1", false)
	requireRows(t, s, "2", true)
	require.Equal(t, []string{"c2"}, ids(read(t, s, func(tx engine.ReadTx) ([]engine.Chat, error) { return tx.Chats("2") }), func(c engine.Chat) engine.ChatID { return c.ID }))
}

func deletedInBatches(t *testing.T, s engine.Store) {
	for _, limit := range []int{1, 3, rowsPerRecording} {
		id := fmt.Sprint(limit)
		update(t, s, func(tx engine.Tx) error { return errors.Join(rowsAbout(tx, id), rowsAbout(tx, "other")) })
		update(t, s, func(tx engine.Tx) error { return tx.DeleteRecording(engine.RecordingID(id)) })
		total := 0
		for n := limit; n == limit; total += n {
			update(t, s, func(tx engine.Tx) (err error) {
				n, err = tx.DeleteRecordingRows(engine.RecordingID(id), limit)
				return err
			})
			require.LessOrEqual(t, n, limit)
		}
		require.GreaterOrEqual(t, total, rowsPerRecording-1)
		requireRows(t, s, id, false)
		requireRows(t, s, "other", true)
	}
}

func failedDeletion(t *testing.T, s engine.Store) {
	update(t, s, func(tx engine.Tx) error { return rowsAbout(tx, "1") })
	failure := errors.New("no")
	require.ErrorIs(t, s.Update(t.Context(), func(tx engine.Tx) error {
		_, err := tx.DeleteRecordingRows("1", allOf)
		return errors.Join(err, tx.DeleteRecording("1"), tx.DeleteSpeaker("speaker"), failure)
	}), failure)
	requireRows(t, s, "1", true)
	_, err := tryRead(t, s, func(tx engine.ReadTx) (engine.Recording, error) { return tx.Recording("1") })
	require.NoError(t, err)
}

func deletedTwice(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutUpload, engine.Upload{ID: "u", Status: engine.UploadUsed})
	write(t, s, engine.Tx.PutImport, engine.Import{ID: "i", SpaceID: "space", FeedItem: "item", Status: engine.ImportCompleted})
	write(t, s, engine.Tx.PutJob, withStatus(newJob("j"), queue.Completed))
	for range 2 {
		update(t, s, func(tx engine.Tx) error {
			n, err := tx.DeleteRecordingRows("none", allOf)
			require.Zero(t, n)
			return errors.Join(
				err, tx.DeleteRecording("none"), tx.DeleteDeletion("none"), tx.DeleteSpeaker("none"), tx.DeleteUpload("u"), tx.DeleteImport("i"), tx.DeleteJob("j"),
			)
		})
	}
	_, err := tryRead(t, s, func(tx engine.ReadTx) (engine.Upload, error) { return tx.Upload("u") })
	requireCode(t, engine.CodeNotFound, err)
	_, err = tryRead(t, s, func(tx engine.ReadTx) (engine.Import, error) { return tx.Import("i") })
	requireCode(t, engine.CodeNotFound, err)
	require.Empty(t, read(t, s, func(tx engine.ReadTx) ([]engine.Import, error) { return tx.ImportsOfItem("space", "item") }))
	_, err = tryRead(t, s, func(tx engine.ReadTx) (queue.Job, error) { return tx.Job("j") })
	requireCode(t, engine.CodeNotFound, err)
}

func deletionOf(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutDeletion, engine.Deletion{ID: "d", RecordingID: "r", CreatedAt: at(0)}, engine.Deletion{ID: "e", RecordingID: "q", CreatedAt: at(0)})
	of := func(id engine.RecordingID) (engine.Deletion, error) {
		return tryRead(t, s, func(tx engine.ReadTx) (engine.Deletion, error) { return tx.DeletionOf(id) })
	}
	got, err := of("r")
	require.NoError(t, err)
	require.Equal(t, engine.Deletion{ID: "d", RecordingID: "r", CreatedAt: at(0)}, got)
	update(t, s, func(tx engine.Tx) error { return tx.DeleteDeletion("d") })
	_, err = of("r")
	requireCode(t, engine.CodeNotFound, err)
	_, err = of("q")
	require.NoError(t, err)
}

func recordingsBefore(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutRecording, numbered([]engine.Recording{
		newRecording("c", "one", at(1)), newRecording("b", "one", at(1)), newRecording("a", "one", at(2)), newRecording("d", "one", at(0)), newRecording("e", "two", at(0)),
	})...)
	before := func(seconds, limit int) []string {
		found := read(t, s, func(tx engine.ReadTx) ([]engine.Recording, error) {
			return tx.RecordingsBefore("one", at(seconds), limit)
		})
		return ids(found, func(r engine.Recording) engine.RecordingID { return r.ID })
	}
	require.Equal(t, []string{"d", "b", "c", "a"}, before(3, 10))
	require.Equal(t, []string{"d", "b", "c"}, before(2, 10), "a recording of exactly this time is not before it")
	require.Equal(t, []string{"d", "b"}, before(3, 2))
	require.Equal(t, []string{}, before(0, 10))
	require.Equal(t, []string{}, before(3, 0))
}

func transcriptsOfRecording(t *testing.T, s engine.Store) {
	of := func(id engine.TranscriptID, recording engine.RecordingID) engine.Transcript {
		return engine.Transcript{ID: id, RecordingID: recording, Status: engine.TranscriptQueued}
	}
	write(t, s, engine.Tx.PutTranscript, of("b", "one"), of("a", "one"), of("c", "two"), of("url", ""), of("moves", "one"), of("moves", "two"))
	id := func(id engine.TranscriptID) engine.TranscriptID { return id }
	requireList(t, s, engine.ReadTx.TranscriptsOf, id, "one", []string{"a", "b"})
	requireList(t, s, engine.ReadTx.TranscriptsOf, id, "two", []string{"c", "moves"})
	requireList(t, s, engine.ReadTx.TranscriptsOf, id, "", []string{})
}

func rendersOfRecording(t *testing.T, s engine.Store) {
	for _, row := range byAge {
		write(t, s, engine.Tx.PutRender, newRender(row.id, "recording", row.seconds))
	}
	write(t, s, engine.Tx.PutRender, newRender("moves", "recording", 0), newRender("moves", "other", 0))
	id := func(r engine.Render) engine.RenderID { return r.ID }
	requireList(t, s, engine.ReadTx.Renders, id, "recording", oldestFirst)
	requireList(t, s, engine.ReadTx.Renders, id, "other", []string{"moves"})
	requireList(t, s, engine.ReadTx.Renders, id, "none", []string{})
}

func chatsOfRecording(t *testing.T, s engine.Store) {
	for _, row := range byAge {
		write(t, s, engine.Tx.PutChat, newChat(row.id, row.seconds, "one", "recording", "one"))
	}
	write(t, s, engine.Tx.PutChat, newChat("other", 0, "other"))
	id := func(c engine.Chat) engine.ChatID { return c.ID }
	requireList(t, s, engine.ReadTx.Chats, id, "recording", oldestFirst)
	requireList(t, s, engine.ReadTx.Chats, id, "one", oldestFirst)
	requireList(t, s, engine.ReadTx.Chats, id, "none", []string{})
}

func chatMoves(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutChat, newChat("c", 0, "one", "two"), newChat("c", 0, "two", "three"))
	id := func(c engine.Chat) engine.ChatID { return c.ID }
	requireList(t, s, engine.ReadTx.Chats, id, "one", []string{})
	requireList(t, s, engine.ReadTx.Chats, id, "two", []string{"c"})
	requireList(t, s, engine.ReadTx.Chats, id, "three", []string{"c"})
}

func deletedSpeaker(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutSpeaker, engine.Speaker{ID: "one", SpaceID: "space"}, engine.Speaker{ID: "two", SpaceID: "space"})
	assigned := func(recording engine.RecordingID, label string, speaker engine.SpeakerID) engine.Assignment {
		return engine.Assignment{RecordingID: recording, Label: label, SpeakerID: speaker}
	}
	write(t, s, engine.Tx.PutAssignment,
		assigned("b", "Speaker 10", "one"), assigned("b", "Speaker 2", "one"), assigned("a", "Speaker 1", "one"), assigned("a", "Speaker 0", "two"),
		assigned("c", "Speaker 0", "one"), assigned("c", "Speaker 0", "two"),
	)
	of := func(id engine.SpeakerID) []engine.Assignment {
		return read(t, s, func(tx engine.ReadTx) ([]engine.Assignment, error) { return tx.AssignmentsOf(id) })
	}
	require.Equal(t, []engine.Assignment{assigned("a", "Speaker 1", "one"), assigned("b", "Speaker 2", "one"), assigned("b", "Speaker 10", "one")}, of("one"))
	update(t, s, func(tx engine.Tx) error { return tx.DeleteSpeaker("one") })
	_, err := tryRead(t, s, func(tx engine.ReadTx) (engine.Speaker, error) { return tx.Speaker("one") })
	requireCode(t, engine.CodeNotFound, err)
	require.Equal(t, []string{"two"}, speakerIDs(t, s, "space"))
	require.Empty(t, of("one"))
	require.Equal(t, []engine.Assignment{assigned("a", "Speaker 0", "two"), assigned("c", "Speaker 0", "two")}, of("two"))
	require.Empty(t, read(t, s, func(tx engine.ReadTx) ([]engine.Assignment, error) { return tx.Assignments("b") }))
}

func jobsByRef(t *testing.T, s engine.Store) {
	of := func(id, ref string, status queue.Status) queue.Job {
		j := withStatus(newJob(id), status)
		j.Ref = ref
		return j
	}
	write(t, s, engine.Tx.PutJob,
		of("b", "x", queue.Completed), of("a", "x", queue.Running), of("c", "x/1", queue.Queued), of("d", "x/2/3", queue.Failed), of("e", "x0", queue.Queued),
		of("f", "x.", queue.Queued), of("g", "y/x", queue.Queued), of("h", "y", queue.Canceled), of("i", "x", queue.Retrying),
	)
	id := func(j queue.Job) queue.ID { return j.ID }
	requireList(t, s, engine.ReadTx.JobsOf, id, "x", []string{"a", "b", "c", "d", "i"})
	requireList(t, s, engine.ReadTx.JobsOf, id, "x/1", []string{"c"})
	requireList(t, s, engine.ReadTx.JobsOf, id, "y", []string{"g", "h"})
	requireList(t, s, engine.ReadTx.JobsOf, id, "z", []string{})
	update(t, s, func(tx engine.Tx) error { return tx.DeleteJob("a") })
	requireList(t, s, engine.ReadTx.JobsOf, id, "x", []string{"b", "c", "d", "i"})
	_, err := findByKey(t, s, "key of a")
	requireCode(t, engine.CodeNotFound, err)
}
