// Package memory keeps everything in memory: [Store] and [Blobs] are the reference implementations of the engine's ports.
// Nothing outlives the process, nothing runs in the background, and both work inside testing/synctest.
//
// A Store has versions. Its tables and indexes are trees that are copied where they change, so that a View reads the version it
// began with, whatever is written meanwhile, and [Store.Fork] makes an independent Store at once.
package memory

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/soundstage-dev/soundstage/engine"
)

// Store is an engine.Store in memory. Any number of Views run at once, each on the version that was the latest when it began,
// and never wait; Updates run one after the other. An Update must not be started from within another: it would wait for itself.
type Store struct {
	writing sync.Mutex               // held by an Update
	latest  atomic.Pointer[snapshot] // replaced by an Update that succeeds
}

var (
	_ engine.Store          = (*Store)(nil)
	_ engine.ExclusiveStore = (*Store)(nil)
	_ engine.CountingStore  = (*Store)(nil)
)

// NewStore returns an empty Store.
func NewStore() *Store {
	blank := make(snapshot, schema.places)
	return storeOf(blank)
}

func storeOf(rows snapshot) *Store {
	s := &Store{}
	s.latest.Store(&rows)
	return s
}

// Fork returns a Store that begins with the rows that s has now; from then on, neither sees what the other writes. The time that
// it takes does not depend on how many rows there are, and it never waits. An Update of s that isn't over is not in the fork.
func (s *Store) Fork() *Store { return storeOf(*s.latest.Load()) }

// View runs fn on the latest version.
func (s *Store) View(ctx context.Context, fn func(engine.ReadTx) error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	tx := &readTx{tables: schema, now: *s.latest.Load()}
	defer tx.over.Store(true)
	return fn(tx)
}

// Update runs fn once, alone. Whatever way fn ends other than by returning nil — an error, a panic, runtime.Goexit —
// nothing of what it wrote is ever seen.
func (s *Store) Update(ctx context.Context, fn func(engine.Tx) error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	tx := newWriteTx(*s.latest.Load())
	defer tx.over.Store(true)
	if err := fn(tx); err != nil {
		return err
	}
	s.commit(tx)
	return nil
}

// commit makes the transaction's version the latest. It can write no more, as others read its trees.
func (s *Store) commit(tx *writeTx) {
	tx.over.Store(true)
	now := tx.now
	s.latest.Store(&now)
}

// Exclusive is false. No second process can have the store open, but several engines of this one can, as a test of
// failing over has it; none of them may take the others' leases away.
func (s *Store) Exclusive() bool { return false }

// Counts returns how many rows there are, by noun.
func (s *Store) Counts(ctx context.Context) (map[string]int, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	now := *s.latest.Load()
	return map[string]int{
		"recordings":  schema.recordings.rows.in(now).Len(),
		"uploads":     schema.uploads.rows.in(now).Len(),
		"transcripts": schema.transcripts.rows.in(now).Len(),
		"jobs":        schema.jobsByKey.entries.in(now).Len(), // those that are not over
	}, nil
}
