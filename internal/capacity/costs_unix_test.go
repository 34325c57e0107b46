//go:build unix

package capacity_test

import (
	"context"
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
	"github.com/soundstage-dev/soundstage/engine/writer"
	"github.com/soundstage-dev/soundstage/render"
)

// BenchmarkRecordingCosts measures what a recording of 30 minutes costs: it is added, transcribed, and indexed, one text is written from
// it, and its events are sent to a webhook. It reports write transactions, those that write an event, the rows and bytes of each table, and
// CPU time: that of the program, and that of ffmpeg.
//
//	go test ./internal/capacity -run '^$' -bench RecordingCosts -benchtime 20x
func BenchmarkRecordingCosts(b *testing.B) {
	dir := b.TempDir()
	media := filepath.Join(dir, "half an hour.mp3")
	out, err := exec.Command("ffmpeg", "-v", "error", "-stream_loop", "-1", "-i", "../../testdata/conversation.mp3", "-t", "1800", "-c", "copy", media).CombinedOutput()
	require.NoError(b, err, "%s", out)
	path := filepath.Join(dir, "costs.db")
	store, err := sqlite.Open(b.Context(), path)
	require.NoError(b, err)
	blobs, err := files.New(filepath.Join(dir, "blobs"), files.Options{})
	require.NoError(b, err)
	counted := &countedStore{Store: store}
	decoder := render.FFmpeg{}
	e, err := engine.New(engine.Config{
		Store: counted, Blobs: blobs, Media: decoder, Transcriber: &fake.Transcriber{Media: decoder}, LLM: writer.LLM{}, Sender: accepting{},
	})
	require.NoError(b, err)
	ctx, stop := context.WithCancel(b.Context())
	var running sync.WaitGroup
	running.Go(func() { require.NoError(b, e.Run(ctx)) })
	me, err := e.CreateAccount(ctx, engine.NewAccount{Name: "Studio"})
	require.NoError(b, err)
	_, _, err = e.CreateWebhook(ctx, me, engine.NewWebhook{URL: "https://example.com/hook", Events: engine.EventTypes()})
	require.NoError(b, err)
	before, self, children := counted.read(), cpu(syscall.RUSAGE_SELF), cpu(syscall.RUSAGE_CHILDREN)
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
	after := counted.read()
	for i, name := range []string{"updates", "updates-with-events", "events", "views"} {
		b.ReportMetric(float64(after[i]-before[i])/float64(n), name)
	}
	b.ReportMetric((cpu(syscall.RUSAGE_SELF)-self).Seconds()/float64(n), "cpu-s")
	b.ReportMetric((cpu(syscall.RUSAGE_CHILDREN)-children).Seconds()/float64(n), "ffmpeg-s")
	stop()
	running.Wait()
	require.NoError(b, store.Close())
	info, err := os.Stat(path)
	require.NoError(b, err)
	b.ReportMetric(float64(info.Size())/float64(n), "db-bytes")
	reportTables(b, path, n)
}

// settled reports whether no job runs or is due soon.
func settled(b *testing.B, store engine.Store) (done bool) {
	require.NoError(b, store.View(b.Context(), func(tx engine.ReadTx) error {
		leased, err := tx.LeasedJobs()
		if err != nil {
			return err
		}
		waiting, err := tx.WaitingJobs(1)
		done = len(leased) == 0 && (len(waiting) == 0 || waiting[0].RunAt.After(time.Now().Add(time.Minute)))
		return err
	}))
	return done
}

// reportTables logs the rows and bytes of each table and index for one recording.
func reportTables(b *testing.B, path string, n int) {
	db := openFile(b, path)
	defer func() { _ = db.Close() }()
	names := query(b, db, "SELECT name FROM sqlite_master WHERE type = 'table'")
	for _, name := range names {
		b.Logf("rows of %s: %s/%d", name, query(b, db, "SELECT count(*) FROM "+name)[0], n)
	}
	if len(query(b, db, "SELECT name FROM pragma_module_list WHERE name = 'dbstat'")) == 0 {
		b.Log("the bytes of tables are missing: SQLite with cgo can't tell them, so set CGO_ENABLED=0")
		return
	}
	for _, line := range query(b, db, "SELECT name || ' ' || sum(pgsize) FROM dbstat GROUP BY name HAVING sum(pgsize) > 50000 ORDER BY sum(pgsize) DESC") {
		name, size, _ := strings.Cut(line, " ")
		b.Logf("bytes of %s: %s/%d", name, size, n)
	}
}

// openFile opens a database file to read it. The driver's name depends on the build, and PostgreSQL's is there, too.
func openFile(b *testing.B, path string) *sql.DB {
	drivers := slices.DeleteFunc(sql.Drivers(), func(name string) bool { return !strings.HasPrefix(name, "sqlite") })
	require.NotEmpty(b, drivers)
	db, err := sql.Open(drivers[0], "file:"+path+"?mode=ro")
	require.NoError(b, err)
	return db
}

func query(b *testing.B, db *sql.DB, text string) (all []string) {
	rows, err := db.Query(text)
	require.NoError(b, err)
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var s string
		require.NoError(b, rows.Scan(&s))
		all = append(all, s)
	}
	require.NoError(b, rows.Err())
	return all
}

func cpu(who int) time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(who, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// accepting is a receiver of webhooks that accepts everything.
type accepting struct{}

func (accepting) Check(context.Context, string) error { return nil }
func (accepting) Send(context.Context, engine.SendRequest) (engine.SendResponse, error) {
	return engine.SendResponse{Status: 200}, nil
}

// countedStore counts transactions.
type countedStore struct {
	engine.Store
	updates, eventful, events, views atomic.Int64
}

func (s *countedStore) read() [4]int64 {
	return [4]int64{s.updates.Load(), s.eventful.Load(), s.events.Load(), s.views.Load()}
}

func (s *countedStore) View(ctx context.Context, fn func(engine.ReadTx) error) error {
	s.views.Add(1)
	return s.Store.View(ctx, fn)
}

func (s *countedStore) Update(ctx context.Context, fn func(engine.Tx) error) error {
	tx := countedTx{}
	err := s.Store.Update(ctx, func(inner engine.Tx) error {
		tx = countedTx{Tx: inner}
		return fn(&tx)
	})
	if err != nil {
		return err
	}
	s.updates.Add(1)
	s.events.Add(tx.events)
	if tx.events > 0 {
		s.eventful.Add(1)
	}
	return nil
}

// Exclusive says that no other process has the store, so that leases are not renewed.
func (s *countedStore) Exclusive() bool { return true }

type countedTx struct {
	engine.Tx
	events int64
}

func (tx *countedTx) AppendEvent(v engine.Event) (int64, error) {
	tx.events++
	return tx.Tx.AppendEvent(v)
}
