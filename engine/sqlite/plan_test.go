package sqlite_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/search"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// Every frequent query uses an index, and none but those of the queue sort. Table statistics don't change the plans.
func TestPlans(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	s := openAt(t, path)
	plans := func() map[string]string {
		return map[string]string{
			"a page of one space":    plan(t, path, sqlite.PageQuery(1), 6),
			"a page of five spaces":  plan(t, path, sqlite.PageQuery(5), 10),
			"a page of most spaces":  plan(t, path, sqlite.PageQuery(sqlite.MaxArms), 5+sqlite.MaxArms),
			"a page with metadata":   plan(t, path, sqlite.TaggedQuery(5), 10),
			"the next job":           plan(t, path, sqlite.DueJobQuery, 3),
			"when a job becomes due": plan(t, path, sqlite.NextJobAtQuery, 1),
			"when another's is due":  plan(t, path, sqlite.NextOfOthersQuery, 2),
			"when a lease ends":      plan(t, path, sqlite.NextLeaseQuery, 0),
		}
	}
	for name, p := range plans() {
		require.NotContains(t, p, "SCAN recordings", name)
		require.NotContains(t, p, "AUTOMATIC", name)
		if strings.Contains(name, "page") {
			require.NotContains(t, p, "TEMP B-TREE", name)
		}
	}
	require.Equal(t, "SEARCH recordings USING INDEX recordings_by_space (space_id=? AND (created_at,id)<(?,?))", plans()["a page of one space"])
	require.Contains(t, plans()["a page of five spaces"], "MERGE (UNION ALL)")
	require.Equal(t, "SEARCH jobs USING INDEX jobs_due (class=?)", plans()["when a job becomes due"])
	require.Contains(t, plans()["the next job"], "jobs_waiting (class=? AND tenant=? AND run_at<?)")
	require.Contains(t, plans()["the next job"], "jobs_waiting (class=? AND tenant>?)")
	require.Contains(t, plans()["when another's is due"], "jobs_waiting (class=? AND tenant=?)")
	require.Contains(t, plans()["when another's is due"], "jobs_waiting (class=? AND tenant>?)")
	require.Contains(t, plans()["the next job"], "jobs_running (class=? AND tenant=?)")

	before := plans()
	update(t, s, func(tx engine.Tx) error {
		for i := range 200 {
			if err := putRows(tx, i); err != nil {
				return err
			}
		}
		return nil
	})
	require.NoError(t, s.Exec("ANALYZE"))
	require.Equal(t, before, plans())
}

// Lists are read in index order, and dependent rows are deleted by index. Table statistics don't change the plans.
func TestListPlans(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	s := openAt(t, path)
	check := func() {
		for index, query := range sqlite.ListQueries {
			p := plan(t, path, query, strings.Count(query, "?"))
			require.Regexp(t, `^SEARCH \w+ USING (COVERING )?INDEX `+regexp.QuoteMeta(strings.TrimSuffix(index, " to delete"))+"$", p)
		}
		p := plan(t, path, sqlite.PostingsQuery, 3)
		require.Contains(t, p, "SEARCH postings USING PRIMARY KEY (term=? AND kind=?)\nSEARCH documents USING INTEGER PRIMARY KEY (rowid=?)")
		require.NotContains(t, p, "B-TREE")
	}
	check()
	update(t, s, func(tx engine.Tx) error {
		for i := range 50 {
			if err := putContent(tx, i); err != nil {
				return err
			}
		}
		return nil
	})
	require.NoError(t, s.Exec("ANALYZE"))
	check()
}

// putContent writes a row of each noun with a list, all in the same groups.
func putContent(tx engine.Tx, i int) error {
	id := fmt.Sprint(i)
	return errors.Join(
		tx.AddMember("space", engine.UserID(id)),
		tx.PutRecording(engine.Recording{ID: engine.RecordingID(id), SpaceID: "space", TranscriptStatus: engine.TranscriptQueued}),
		tx.PutDeletion(engine.Deletion{ID: engine.DeletionID(id), RecordingID: "recording"}),
		tx.PutRender(engine.Render{ID: engine.RenderID(id), RecordingID: "recording", Status: engine.RenderRendering}),
		tx.PutAssignment(engine.Assignment{RecordingID: engine.RecordingID(id), Label: "Speaker 0", SpeakerID: "speaker"}),
		tx.PutChat(engine.Chat{ID: engine.ChatID(id), RecordingIDs: []engine.RecordingID{"recording"}, Status: engine.ChatQueued}),
		tx.PutJob(queue.Job{ID: queue.ID(id), Key: id, Ref: "ref", Status: queue.Queued}),
		tx.PutPrompt(engine.Prompt{ID: engine.PromptID(id), SpaceID: "space"}),
		tx.PutOutput(engine.Output{ID: engine.OutputID(id), RecordingID: "recording", Status: engine.OutputQueued}),
		tx.PutSuggestion(engine.Suggestion{ID: engine.SuggestionID(id), RecordingID: "recording"}),
		tx.PutImport(engine.Import{ID: engine.ImportID(id), SpaceID: "space", FeedItem: "item", Status: engine.ImportQueued}),
		tx.PutWebhook(engine.Webhook{ID: engine.WebhookID(id), UserID: "user"}),
		tx.PutDelivery(engine.Delivery{ID: engine.DeliveryID(id), WebhookID: "webhook", Status: engine.DeliveryPending}),
		tx.PutDocument(search.Document{ID: search.DocumentID(id), Kind: search.DocumentContent, SpaceID: "space"}, map[string][]int{"term": {0}, id: {1}}),
	)
}

// The limit of a page is an expression: with a plain parameter SQLite would prepare the statement again for each value.
func TestLimitIsNoParameter(t *testing.T) {
	t.Parallel()
	require.Contains(t, sqlite.PageQuery(1), "LIMIT ?4 + 0")
}

// plan returns SQLite's query plan for a query with a number of parameters.
func plan(t *testing.T, path, query string, parameters int) string {
	return strings.Join(queryFile(t, path, "EXPLAIN QUERY PLAN "+query, make([]any, parameters)...), "\n")
}
