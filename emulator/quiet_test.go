package emulator

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/live"
	"github.com/soundstage-dev/soundstage/emulator/traffic"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// noStore is a Store whose Update does nothing.
type noStore struct{ engine.Store }

func (noStore) Update(context.Context, func(engine.Tx) error) error { return nil }

// quiet returns a world to which no page listens, and all that tells pages of changes.
func quiet() map[string]func() {
	hub := &live.Hub{}
	w := &world{live: hub.Source("w", time.Now, nil)}
	w.live.Attach()
	store := &watchedStore{Store: noStore{}, watching: w.live.Active, changed: w.jobChanged}
	ctx, entry, job, nothing := context.Background(), &traffic.Entry{}, queue.Job{ID: "job"}, func(engine.Tx) error { return nil }
	return map[string]func(){
		"request": func() { w.requestEnded(entry) },
		"fault":   func() { w.faultChanged("fired", traffic.FaultState{}) },
		"clock":   w.clockMoved,
		"wait":    func() { w.jobWaits(job) },
		"update":  func() { _ = store.Update(ctx, nothing) },
	}
}

// While no page is open, changes cost no allocation.
func TestQuietIsFree(t *testing.T) {
	for name, fn := range quiet() {
		require.Zero(t, testing.AllocsPerRun(100, fn), name)
	}
}

// BenchmarkQuiet measures what a change costs while no page is open.
func BenchmarkQuiet(b *testing.B) {
	for name, fn := range quiet() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				fn()
			}
		})
	}
}
