//go:build unix

package sqlite_test

import (
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/cursor"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
	"github.com/soundstage-dev/soundstage/internal/turns"
)

// BenchmarkLimitDurable compares a recording and its job in one durable transaction with the disk alone: a write of as many bytes as SQLite's log
// gets for them, and fsync. A lone writer syncs for each; 16 writers share transactions.
func BenchmarkLimitDurable(b *testing.B) {
	const commits, bytesEach, writers = 300, 37_698, 16 // bytes of testdata/hotpaths.golden
	s, err := sqlite.Open(b.Context(), newPath(b))
	require.NoError(b, err)
	defer func() { require.NoError(b, s.Close()) }()
	log, err := os.Create(filepath.Join(b.TempDir(), "log"))
	require.NoError(b, err)
	defer func() { require.NoError(b, log.Close()) }()
	var made atomic.Int64
	page := make([]byte, bytesEach)
	commit := func() {
		n := int(made.Add(1))
		require.NoError(b, s.Update(b.Context(), func(tx engine.Tx) error { return recordingAndJob(tx, n) }))
	}
	compared := turns.Compare(
		turns.Way{Name: "commits", Cost: turns.Wall(func() {
			for range commits {
				commit()
			}
		})},
		turns.Way{Name: "shared", Cost: turns.Wall(func() {
			var left atomic.Int64
			left.Store(commits)
			var running sync.WaitGroup
			for range writers {
				running.Go(func() {
					for left.Add(-1) >= 0 {
						commit()
					}
				})
			}
			running.Wait()
		})},
		turns.Way{Name: "disk", Cost: turns.Wall(func() {
			for i := range commits {
				_, err := log.WriteAt(page, int64(i%100)*bytesEach) // as SQLite, which begins its log again at 4 MB
				require.NoError(b, err)
				require.NoError(b, log.Sync())
			}
		})},
	).Rounds(7)
	for b.Loop() { // the figures don't come from a loop
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(commits/compared.Cost("commits").Median, "commits/s")
	b.ReportMetric(commits/compared.Cost("disk").Median, "disk-syncs/s")
	b.ReportMetric(commits/compared.Cost("shared").Median, "shared-commits/s")
	compared.Ratio("disk", "commits").Report(b, "ratio") // of rates, so the inverse of that of times
	compared.Ratio("disk", "shared").Report(b, "shared-ratio")
}

// BenchmarkLimitGrowth compares filling a library of 50,000 recordings and reading all its pages with one of 5,000.
func BenchmarkLimitGrowth(b *testing.B) {
	library := func(n int) func() {
		return func() {
			s, ids := filled(b, n, 1)
			q, read := engine.RecordingQuery{Spaces: ids, Limit: 101}, 0
			for more := true; more; {
				require.NoError(b, s.View(b.Context(), func(tx engine.ReadTx) error {
					page, err := tx.Recordings(q)
					if err != nil {
						return err
					}
					more = len(page) == q.Limit
					page = page[:min(len(page), q.Limit-1)]
					last := page[len(page)-1]
					q.After = &cursor.Position{CreatedAt: last.CreatedAt, ID: string(last.ID)}
					read += len(page)
					return nil
				}))
			}
			require.Equal(b, n, read)
		}
	}
	grown := turns.Compare(turns.Way{Name: "ten", Cost: turns.CPU(library(50_000))}, turns.Way{Name: "one", Cost: turns.CPU(library(5_000))}).Rounds(3)
	for b.Loop() { // the figures don't come from a loop
	}
	b.ReportMetric(0, "ns/op")
	grown.Ratio("ten", "one").Report(b, "growth")
}
