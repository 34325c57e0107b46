package postgres_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/internal/turns"
)

// connections is the number of concurrent transactions of BenchmarkRowAndJob.
const connections = 16

// bareArgs is the River job of the bare loop.
type bareArgs struct {
	ID string `json:"id"`
}

func (bareArgs) Kind() string { return "bare" }

// BenchmarkRowAndJob commits a recording and its job, by 16 goroutines: with the store, and as a bare loop of "insert row, River insert".
// The two run in turns, and the store's share of the bare loop's rate is reported as "ratio".
func BenchmarkRowAndJob(b *testing.B) {
	url := database(b)
	s := openAt(b, url)
	pool, err := pgxpool.New(b.Context(), url+"&pool_max_conns=16")
	require.NoError(b, err)
	b.Cleanup(pool.Close)
	_, err = pool.Exec(b.Context(), "CREATE TABLE bare (id text PRIMARY KEY, row jsonb NOT NULL)")
	require.NoError(b, err)
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{Logger: slog.New(slog.DiscardHandler)})
	require.NoError(b, err)
	var n atomic.Int64
	ours := func(i int64) error {
		id := fmt.Sprintf("%032d", i)
		return s.Update(b.Context(), func(tx engine.Tx) error {
			r := engine.Recording{ID: engine.RecordingID(id), SpaceID: "space", Title: "Title", TranscriptStatus: engine.TranscriptQueued, CreatedAt: time.Now()}
			return errors.Join(tx.PutRecording(r), tx.Enqueue(queue.Job{
				ID: queue.ID(id), Key: id, Kind: "kind", Class: "class", Ref: id, Status: queue.Queued, RunAt: time.Now(), CreatedAt: time.Now(), UpdatedAt: time.Now(),
			}))
		})
	}
	bare := func(i int64) error {
		id := fmt.Sprintf("%032d", i)
		row, _ := json.Marshal(map[string]any{"id": id, "space_id": "space", "title": "Title", "status": "queued", "created_at": time.Now()})
		return pgx.BeginFunc(b.Context(), pool, func(tx pgx.Tx) error {
			if _, err := tx.Exec(b.Context(), "INSERT INTO bare (id, row) VALUES ($1, $2)", id, row); err != nil {
				return err
			}
			_, err := client.InsertTx(b.Context(), tx, bareArgs{id}, nil)
			return err
		})
	}
	const batch = 500
	run := func(fn func(int64) error) func() float64 {
		return turns.Wall(func() { require.NoError(b, inParallel(connections, batch, func() error { return fn(n.Add(1)) })) })
	}
	compared := turns.Compare(turns.Way{Name: "tx", Cost: run(ours)}, turns.Way{Name: "bare-tx", Cost: run(bare)})
	for b.Loop() {
		compared.Round()
	}
	for _, name := range []string{"tx", "bare-tx"} {
		b.ReportMetric(batch/compared.Cost(name).Median, name+"/s")
	}
	compared.Ratio("bare-tx", "tx").Report(b, "ratio") // of rates, so the inverse of that of times
}

// inParallel calls fn n times by a number of goroutines.
func inParallel(goroutines, n int, fn func() error) error {
	var left atomic.Int64
	left.Store(int64(n))
	errs := make([]error, goroutines)
	var all sync.WaitGroup
	for i := range goroutines {
		all.Go(func() {
			for left.Add(-1) >= 0 && errs[i] == nil {
				errs[i] = fn()
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// BenchmarkStart enqueues jobs that are due, one at a time in one process, and measures until another starts them.
func BenchmarkStart(b *testing.B) {
	url := database(b)
	began := make(chan time.Time, 10)
	store := openAt(b, url)
	first := newWorker(b, store, 0, 0, nil)
	newWorker(b, openAt(b, url), 4, 0, func(context.Context, queue.Job) error { began <- time.Now(); return nil })
	first.enqueue(b, "tenant", "warm")
	<-began
	var waits []time.Duration
	for b.Loop() {
		start := time.Now()
		require.NoError(b, first.Update(b.Context(), func(tx engine.Tx) error {
			return tx.Enqueue(first.NewJob("kind", fmt.Sprint(len(waits)), "tenant", store.Clock().Now()))
		}))
		waits = append(waits, (<-began).Sub(start))
	}
	reportPercentiles(b, waits)
}

// reportPercentiles reports the median and the 99th percentile in milliseconds.
func reportPercentiles(b *testing.B, waits []time.Duration) {
	b.Helper()
	slices.Sort(waits)
	for name, at := range map[string]float64{"p50-ms": 0.5, "p99-ms": 0.99} {
		b.ReportMetric(float64(waits[int(at*float64(len(waits)-1))].Microseconds())/1000, name)
	}
	b.ReportMetric(0, "ns/op")
}

// BenchmarkClaim claims jobs while one tenant has 20,000 waiting ones and 100 others have one each.
func BenchmarkClaim(b *testing.B) {
	s := open(b)
	w := newWorker(b, s, 0, 0, nil)
	w.enqueue(b, "flood", refs("flood", 20_000)...)
	for i := range 100 {
		w.enqueue(b, fmt.Sprint("tenant", i), fmt.Sprint("other", i))
	}
	job := ""
	require.NoError(b, s.View(b.Context(), func(tx engine.ReadTx) error {
		found, err := tx.JobsOf("flood10000")
		job = string(found[0].ID)
		return err
	}))
	for b.Loop() {
		_, err := s.Claim(b.Context(), queue.Delivery{Class: "class", Job: queue.ID(job)}, "owner", time.Minute)
		require.NoError(b, err)
	}
}
