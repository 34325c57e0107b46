package postgres_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// The rows that operators look for are rare, and the oldest: a list without an index reads all others first.
const (
	manyRecordings = `DO $$ DECLARE list text; BEGIN
		SELECT string_agg(CASE column_name WHEN 'id' THEN 'md5(n::text)' WHEN 'created_at' THEN 'n * 1000' WHEN 'updated_at' THEN 'n * 1000'
			WHEN 'transcript_status' THEN 'CASE WHEN n <= 10 THEN ''error'' WHEN n %% 1000 = 0 THEN ''processing'' ELSE ''completed'' END'
			WHEN 'space_id' THEN '''space'' || n %% 500' WHEN 'title' THEN '''Episode '' || n'
			ELSE CASE WHEN is_nullable = 'YES' THEN 'NULL' WHEN data_type = 'bigint' THEN '0' WHEN data_type = 'boolean' THEN 'false' ELSE '''''' END END, ', ' ORDER BY ordinal_position)
			INTO list FROM information_schema.columns WHERE table_name = 'recordings';
		EXECUTE 'INSERT INTO recordings SELECT ' || list || ' FROM generate_series(1, %d) AS n';
	END $$`
	manyDeliveries = `INSERT INTO deliveries (id, webhook_id, event_id, event, status, created_at, updated_at)
		SELECT md5(n::text), 'hook' || n %% 500, 'event' || n, 'recording.completed', CASE WHEN n <= 10 THEN 'failed' WHEN n %% 1000 = 0 THEN 'retrying' ELSE 'delivered' END,
			n * 1000, n * 1000 FROM generate_series(1, %d) AS n`
	manyJobs = `INSERT INTO jobs SELECT md5(n::text), 'key' || n, kinds[n %% 8 + 1], classes[n %% 8 + 1], md5((n / 8)::text), 'tenant' || n %% 500,
			CASE WHEN n <= 10 THEN 'failed' WHEN n %% 1000 = 0 THEN 'queued' WHEN n %% 1001 = 0 THEN 'retrying' WHEN n = 20 THEN 'running' ELSE 'completed' END,
			1, 1, n * 1000, '', 0, false, '', n * 1000, n * 1000, 0
		FROM generate_series(1, %d) AS n, (VALUES (
			ARRAY['transcript.transcribe', 'transcript.download', 'transcript.clean', 'import.download', 'output.generate', 'render.render', 'webhook.deliver', 'chat.answer'],
			ARRAY['transcribe', 'import', 'maintain', 'import', 'generate', 'render', 'deliver', 'generate'])) AS names (kinds, classes)`
)

// operatorRows fills a database with a number of recordings, deliveries, and jobs.
func operatorRows(t testing.TB, url string, n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(t.Context())) }()
	for _, sql := range []string{
		fmt.Sprintf(manyRecordings, n), fmt.Sprintf(manyDeliveries, n), fmt.Sprintf(manyJobs, n), "VACUUM (ANALYZE) recordings, deliveries, jobs",
	} {
		_, err := conn.Exec(t.Context(), sql)
		require.NoError(t, err, sql)
	}
}

// operatorLists are the lists of the operators' console, with each of its filters. Each returns the cursor of the next page.
var operatorLists = map[string]func(*testing.B, *engine.Engine, string) (next string, err error){
	"recordings":           listRecordings(),
	"recordings error":     listRecordings(engine.TranscriptError),
	"recordings completed": listRecordings(engine.TranscriptCompleted),
	"recordings queued":    listRecordings(engine.TranscriptQueued),
	"recordings 2":         listRecordings(engine.TranscriptError, engine.TranscriptProcessing),
	"deliveries":           listDeliveries(),
	"deliveries failed":    listDeliveries(engine.DeliveryFailed),
	"deliveries delivered": listDeliveries(engine.DeliveryDelivered),
	"deliveries pending":   listDeliveries(engine.DeliveryPending),
	"jobs":                 listJobs(engine.JobList{}),
	"jobs 1000":            listJobs(engine.JobList{Limit: 1000}),
	"jobs failed":          listJobs(engine.JobList{Statuses: []queue.Status{queue.Failed}}),
	"jobs canceled":        listJobs(engine.JobList{Statuses: []queue.Status{queue.Canceled}}),
	"jobs running":         listJobs(engine.JobList{Statuses: []queue.Status{queue.Running}}),
	"jobs completed":       listJobs(engine.JobList{Statuses: []queue.Status{queue.Completed}}),
	"jobs deliver":         listJobs(engine.JobList{Classes: []queue.Class{queue.ClassDeliver}}),
	"jobs deliver failed":  listJobs(engine.JobList{Classes: []queue.Class{queue.ClassDeliver}, Statuses: []queue.Status{queue.Failed}}),
	"jobs kind":            listJobs(engine.JobList{Kinds: []queue.Kind{engine.JobRender}}),
	"jobs kind none":       listJobs(engine.JobList{Kinds: []queue.Kind{engine.JobSuggest}}),
	"jobs of a resource":   listJobs(engine.JobList{Refs: []string{"c4ca4238a0b923820dcc509a6f75849b", "none"}}),
}

func listRecordings(statuses ...engine.TranscriptStatus) func(*testing.B, *engine.Engine, string) (string, error) {
	return func(b *testing.B, e *engine.Engine, after string) (string, error) {
		page, err := e.AllRecordings(b.Context(), engine.StatusList[engine.TranscriptStatus]{Statuses: statuses, Limit: engine.MaxPageSize, Cursor: after})
		return page.NextCursor, err
	}
}

func listDeliveries(statuses ...engine.DeliveryStatus) func(*testing.B, *engine.Engine, string) (string, error) {
	return func(b *testing.B, e *engine.Engine, after string) (string, error) {
		page, err := e.AllDeliveries(b.Context(), engine.StatusList[engine.DeliveryStatus]{Statuses: statuses, Limit: engine.MaxPageSize, Cursor: after})
		return page.NextCursor, err
	}
}

func listJobs(l engine.JobList) func(*testing.B, *engine.Engine, string) (string, error) {
	return func(b *testing.B, e *engine.Engine, after string) (string, error) {
		l.Cursor = after
		page, err := e.ListJobs(b.Context(), l)
		return page.NextCursor, err
	}
}

// BenchmarkOperatorLists reads the first two pages of each list of the operators' console, with 1,000,000 recordings, deliveries, and jobs.
func BenchmarkOperatorLists(b *testing.B) {
	url := database(b)
	operatorRows(b, url, 1_000_000)
	store := openAt(b, url)
	e, err := engine.New(engine.Config{Store: store, Blobs: memory.NewBlobs()})
	require.NoError(b, err)
	for _, name := range slices.Sorted(maps.Keys(operatorLists)) {
		b.Run(name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				next := ""
				for range 2 {
					start := time.Now()
					next, err = operatorLists[name](b, e, next)
					took = append(took, time.Since(start))
					require.NoError(b, err)
					if next == "" {
						break
					}
				}
			}
			reportPercentiles(b, took)
		})
	}
}
