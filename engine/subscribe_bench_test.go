package engine_test

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// BenchmarkSubscribe commits events, ten in each transaction, while 10 subscribers read them all, one of them slowly. The commits wait for
// the fast subscribers before these are 10,000 events behind. It reports how many events come to each of them per second, the live heap in
// the middle, when the log is full, and how much it grows until the end.
func BenchmarkSubscribe(b *testing.B) {
	for name, open := range map[string]func(*testing.B) engine.Store{
		"memory": func(*testing.B) engine.Store { return memory.NewStore() },
		"sqlite": func(b *testing.B) engine.Store {
			s, err := sqlite.OpenWith(b.Context(), filepath.Join(b.TempDir(), "rows.db"), sqlite.OpenOptions{NoSync: true})
			require.NoError(b, err)
			b.Cleanup(func() { require.NoError(b, s.Close()) })
			return s
		},
	} {
		b.Run(name, func(b *testing.B) { benchmarkSubscribe(b, open(b)) })
	}
}

func benchmarkSubscribe(b *testing.B, store engine.Store) {
	const total, batch, ahead = 100_000, 10, 10_000
	e, err := engine.New(engine.Config{Store: store, Blobs: memory.NewBlobs(), EventLimit: 2 * ahead})
	require.NoError(b, err)
	me, err := e.CreateAccount(b.Context(), engine.NewAccount{Name: "Test", AccountID: "account", UserID: "user", SpaceID: "space"})
	require.NoError(b, err)
	for b.Loop() {
		read := make([]*atomic.Int64, 10) // events of each subscriber
		for i := range read {
			read[i] = new(atomic.Int64)
		}
		behind := func(n int) bool {
			return slices.ContainsFunc(read[1:], func(r *atomic.Int64) bool { return int(r.Load()) < n })
		}
		ctx, cancel := context.WithTimeout(b.Context(), time.Minute)
		var group sync.WaitGroup
		for i := range read {
			events := e.Subscribe(ctx, me, engine.EventFilter{})
			group.Go(func() {
				for _, err := range events {
					if err != nil {
						return
					}
					if read[i].Add(1)%100 == 0 && i == 0 {
						time.Sleep(time.Millisecond)
					}
				}
			})
		}
		began, half := time.Now(), uint64(0)
		for n := range total / batch {
			for behind(n*batch-ahead) && ctx.Err() == nil { // else it would fall out of the log
				time.Sleep(time.Millisecond)
			}
			require.NoError(b, engine.Update(ctx, e, func(tx engine.Tx) error { return appendBatch(tx, batch) }))
			if n == total/batch/2 {
				half = heap()
			}
		}
		for behind(total) && ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		b.ReportMetric(total/time.Since(began).Seconds(), "events/s")
		b.ReportMetric(float64(int64(heap())-int64(half))/1e6, "grown-MB")
		b.ReportMetric(float64(half)/1e6, "heap-MB")
		require.NoError(b, ctx.Err(), "events are missing")
		cancel()
		group.Wait()
	}
}

func appendBatch(tx engine.Tx, n int) error {
	for i := range n {
		v := engine.Event{Kind: engine.KindRenderChanged, SpaceID: "space", RenderID: engine.RenderID(fmt.Sprint(i)), Status: "completed", At: time.Now()}
		if _, err := tx.AppendEvent(v); err != nil {
			return err
		}
	}
	return nil
}

// heap returns the live bytes of the heap.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
