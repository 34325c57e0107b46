//go:build unix

package sqlite_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/cursor"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
	"github.com/soundstage-dev/soundstage/internal/turns"
)

// BenchmarkLimitDurable compares a recording and its job in one durable transaction with the disk alone: a write of as many bytes as SQLite's log
// gets for them, and fsync. Updates run one at a time, so each has its own.
func BenchmarkLimitDurable(b *testing.B) {
	const commits, bytesEach = 300, 37_698 // of testdata/hotpaths.golden
	s, err := sqlite.Open(b.Context(), newPath(b))
	require.NoError(b, err)
	defer func() { require.NoError(b, s.Close()) }()
	log, err := os.Create(filepath.Join(b.TempDir(), "log"))
	require.NoError(b, err)
	defer func() { require.NoError(b, log.Close()) }()
	n, page := 0, make([]byte, bytesEach)
	compared := turns.Compare(
		turns.Way{Name: "commits", Cost: turns.Wall(func() {
			for range commits {
				n++
				update(b, s, func(tx engine.Tx) error { return recordingAndJob(tx, n) })
			}
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
	compared.Ratio("disk", "commits").Report(b, "ratio") // of rates, so the inverse of that of times
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
