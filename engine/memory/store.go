// Package memory provides an in-memory [Store] and in-memory [Blobs]: the reference implementations of the engine's ports, for
// tests and for programs that keep nothing. They start no goroutines and work inside testing/synctest.
//
//	e, err := engine.New(engine.Config{Store: memory.NewStore(), Blobs: memory.NewBlobs()})
//
// A Store is versioned. Its tables and indexes are copy-on-write trees: a View reads the version that was the latest when it
// started, and [Store.Fork] creates an independent Store in constant time.
package memory

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/soundstage-dev/soundstage/engine"
)

// Store implements engine.Store in memory. Views run concurrently and never wait; each reads the version that was the latest
// when it started. Updates run one at a time. Starting an Update within another deadlocks.
type Store struct {
	writing sync.Mutex               // held by an Update
	latest  atomic.Pointer[snapshot] // replaced by an Update that succeeds
}

var (
	_ engine.Store          = (*Store)(nil)
	_ engine.ExclusiveStore = (*Store)(nil)
	_ engine.CountingStore  = (*Store)(nil)

	_ engine.StatusCountingStore = (*Store)(nil)
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

// Fork returns an independent Store with the rows of s. It takes constant time and never waits. The fork doesn't contain the
// writes of an unfinished Update.
func (s *Store) Fork() *Store { return storeOf(*s.latest.Load()) }

// View runs fn on the latest version.
func (s *Store) View(ctx context.Context, fn func(engine.ReadTx) error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	tx := &readTx{tables: schema, current: *s.latest.Load()}
	defer tx.ended.Store(true)
	return fn(tx)
}

// Update runs fn exclusively and commits its writes. If fn returns an error, panics, or calls runtime.Goexit, nothing is
// committed.
func (s *Store) Update(ctx context.Context, fn func(engine.Tx) error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	tx := newWriteTx(*s.latest.Load())
	defer tx.ended.Store(true)
	if err := fn(tx); err != nil {
		return err
	}
	s.commit(tx)
	return nil
}

// commit makes the transaction's version the latest. The transaction ends, because others now read its trees.
func (s *Store) commit(tx *writeTx) {
	tx.ended.Store(true)
	now := tx.current
	s.latest.Store(&now)
}

// Exclusive returns false. Several engines of one process can share the store, as failover tests do, so none may release the
// others' leases.
func (s *Store) Exclusive() bool { return false }

// Counts returns the number of recordings, uploads, transcripts, and unfinished jobs.
func (s *Store) Counts(ctx context.Context) (map[string]int, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	now := *s.latest.Load()
	return map[string]int{
		"recordings":  schema.recordings.rows.in(now).Len(),
		"uploads":     schema.uploads.rows.in(now).Len(),
		"transcripts": schema.transcripts.rows.in(now).Len(),
		"jobs":        schema.jobsByKey.entries.in(now).Len(), // unfinished jobs
	}, nil
}
