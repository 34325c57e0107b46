package capacity_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/postgres"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/s3"
	"github.com/soundstage-dev/soundstage/engine/writer"
	"github.com/soundstage-dev/soundstage/internal/pgtest"
	"github.com/soundstage-dev/soundstage/internal/s3test"
	"github.com/soundstage-dev/soundstage/render"
)

// BenchmarkPostgresCosts measures what the recording of BenchmarkRecordingCosts costs PostgreSQL and S3: write-ahead log, CPU time of all
// processes of the server, and requests to the object store. "writes" are write transactions, claims included, and "µs-write" is the CPU time of
// the server for each, with all its work in the background. Then it measures a write and a read of one row, and how long a transaction that writes
// an event takes from the read of the last number to the end of the commit. PostgreSQL syncs each commit to the disk.
//
//	go test ./internal/capacity -run '^$' -bench PostgresCosts -benchtime 10x
func BenchmarkPostgresCosts(b *testing.B) {
	server := pgtest.New(b)
	server.Stop(b)
	server.Set(b, "fsync", "on")
	server.Start(b)
	store, err := postgres.Open(b.Context(), server.URL())
	require.NoError(b, err)
	defer func() { require.NoError(b, store.Close()) }()
	bucket, requests := s3test.New(b), &countingTransport{}
	blobs, err := s3.Open(b.Context(), bucket.Address(""), s3.Options{AccessKey: bucket.AccessKey, SecretKey: bucket.SecretKey, Transport: requests})
	require.NoError(b, err)
	defer func() { require.NoError(b, blobs.Close()) }()
	decoder := render.FFmpeg{}
	counted := &deliveringStore{countedStore{Store: store}, store}
	e, err := engine.New(engine.Config{Store: counted, Blobs: blobs, Media: decoder, Transcriber: &fake.Transcriber{Media: decoder}, LLM: writer.LLM{}, Sender: accepting{}})
	require.NoError(b, err)
	ctx, stop := context.WithCancel(b.Context())
	var running sync.WaitGroup
	running.Go(func() { require.NoError(b, e.Run(ctx)) })
	defer running.Wait()
	defer stop()
	me, err := e.CreateAccount(ctx, engine.NewAccount{Name: "Studio", SpaceID: "space"})
	require.NoError(b, err)
	_, _, err = e.CreateWebhook(ctx, me, engine.NewWebhook{URL: "https://example.com/hook", Events: engine.EventTypes()})
	require.NoError(b, err)
	media := halfAnHour(b)
	log, spent, sent, before := walBytes(b, server), serverCPU(b, server), requests.n.Load(), counted.read()
	n := 0
	for b.Loop() {
		rec, err := e.AddFile(ctx, me, media, engine.NewFile{})
		require.NoError(b, err)
		_, err = e.WaitRecording(ctx, me, rec.ID)
		require.NoError(b, err)
		o, err := e.GenerateOutput(ctx, me, engine.NewOutput{RecordingID: rec.ID, Prompt: "Summarise the recording.", Name: "Summary"})
		require.NoError(b, err)
		_, err = e.WaitOutput(ctx, me, o.ID)
		require.NoError(b, err)
		n++
	}
	require.Eventually(b, func() bool { return settled(b, store) }, time.Minute, 10*time.Millisecond)
	after, took := counted.read(), serverCPU(b, server)-spent
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(walBytes(b, server)-log)/float64(n), "wal-bytes")
	b.ReportMetric(took.Seconds()*1000/float64(n), "postgres-cpu-ms")
	b.ReportMetric(float64(requests.n.Load()-sent)/float64(n), "s3-requests")
	b.ReportMetric(float64(after[0]-before[0])/float64(n), "writes")
	b.ReportMetric(float64(after[3]-before[3])/float64(n), "views")
	stop()
	view := reportTransactions(b, server, store)
	b.ReportMetric((float64(took.Microseconds())-view*float64(after[3]-before[3]))/float64(after[0]-before[0]), "µs-write")
}

// reportTransactions reports the costs of single transactions, and returns the CPU time of a read in microseconds.
func reportTransactions(b *testing.B, server *pgtest.Server, store *postgres.Store) (view float64) {
	const times = 2000
	r := engine.Recording{ID: "0f0f", SpaceID: "space", Title: "Title", TranscriptStatus: engine.TranscriptQueued, CreatedAt: time.Now()}
	cost := func(name string, fn func(i int) error) float64 {
		before := serverCPU(b, server)
		for i := range times {
			require.NoError(b, fn(i))
		}
		each := float64((serverCPU(b, server) - before).Microseconds()) / times
		b.ReportMetric(each, name)
		return each
	}
	cost("µs-update", func(i int) error {
		return store.Update(b.Context(), func(tx engine.Tx) error { r.Number = i; return tx.PutRecording(r) })
	})
	view = cost("µs-view", func(int) error {
		return store.View(b.Context(), func(tx engine.ReadTx) error { _, err := tx.Recording(r.ID); return err })
	})
	var held time.Duration
	for range times {
		var from time.Time
		require.NoError(b, store.Update(b.Context(), func(tx engine.Tx) error {
			from = time.Now()
			_, err := tx.AppendEvent(engine.Event{Kind: engine.KindRecordingCreated, At: from, SpaceID: "space"})
			return err
		}))
		held += time.Since(from)
	}
	b.ReportMetric(float64(held.Microseconds())/times, "µs-event")
	return view
}

// deliveringStore counts transactions of a store that delivers its jobs.
type deliveringStore struct {
	countedStore
	*postgres.Store
}

var _ queue.Deliverer = (*deliveringStore)(nil)

func (s *deliveringStore) View(ctx context.Context, fn func(engine.ReadTx) error) error {
	return s.countedStore.View(ctx, fn)
}
func (s *deliveringStore) Update(ctx context.Context, fn func(engine.Tx) error) error {
	return s.countedStore.Update(ctx, fn)
}

// Claim counts as a write.
func (s *deliveringStore) Claim(ctx context.Context, d queue.Delivery, owner string, lease time.Duration) (queue.Job, error) {
	s.updates.Add(1)
	return s.Store.Claim(ctx, d, owner, lease)
}

// Exclusive says that other processes may have the store, too.
func (s *deliveringStore) Exclusive() bool { return false }

// countingTransport counts requests.
type countingTransport struct{ n atomic.Int64 }

func (t *countingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	t.n.Add(1)
	return http.DefaultTransport.RoundTrip(r)
}

// halfAnHour makes media of 30 minutes and returns its path.
func halfAnHour(b *testing.B) string {
	media := filepath.Join(b.TempDir(), "half an hour.mp3")
	out, err := exec.Command("ffmpeg", "-v", "error", "-stream_loop", "-1", "-i", "../../testdata/conversation.mp3", "-t", "1800", "-c", "copy", media).CombinedOutput()
	require.NoError(b, err, "%s", out)
	return media
}

// walBytes returns how much write-ahead log a server has written.
func walBytes(b *testing.B, server *pgtest.Server) (n int64) {
	conn, err := pgx.Connect(b.Context(), server.URL())
	require.NoError(b, err)
	defer func() { require.NoError(b, conn.Close(b.Context())) }()
	require.NoError(b, conn.QueryRow(b.Context(), "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint").Scan(&n))
	return n
}

// serverCPU returns the CPU time of all processes of a server, of those that have ended, too. The first process of a server is the parent of
// the others.
func serverCPU(b *testing.B, server *pgtest.Server) time.Duration {
	text, err := os.ReadFile(filepath.Join(filepath.Dir(server.Socket()), "data", "postmaster.pid"))
	require.NoError(b, err)
	first, _, _ := strings.Cut(string(text), "\n")
	all, _ := filepath.Glob("/proc/[0-9]*/stat")
	var ticks int64
	for _, path := range all {
		raw, err := os.ReadFile(path)
		if err != nil { // the process has ended
			continue
		}
		_, rest, _ := strings.Cut(string(raw), ") ")
		f := strings.Fields(rest) // from the state on, which is field 3 of proc(5)
		own := filepath.Base(filepath.Dir(path)) == first
		if len(f) < 15 || !own && f[1] != first {
			continue
		}
		fields := f[11:13]
		if own {
			fields = f[11:15] // and of its children that have ended
		}
		for _, field := range fields {
			n, err := strconv.ParseInt(field, 10, 64)
			require.NoError(b, err, fmt.Sprint(f))
			ticks += n
		}
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}
