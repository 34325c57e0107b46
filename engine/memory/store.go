// Package memory keeps everything in memory: [Store] and [Blobs] are the reference implementations of the engine's ports.
// Nothing outlives the process, nothing runs in the background, and both work inside testing/synctest.
package memory

import (
	"context"
	"sync"

	"github.com/soundstage-dev/soundstage/engine"
)

// Store is an engine.Store in memory. Any number of Views run at once, an Update runs alone. A View or an Update must not
// be started from within another: it would wait for itself.
type Store struct {
	mu     sync.RWMutex
	tables *tables
}

var (
	_ engine.Store          = (*Store)(nil)
	_ engine.ExclusiveStore = (*Store)(nil)
	_ engine.CountingStore  = (*Store)(nil)
)

// NewStore returns an empty Store.
func NewStore() *Store { return &Store{tables: newTables()} }

// View runs fn while nothing is written.
func (s *Store) View(ctx context.Context, fn func(engine.ReadTx) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	tx := &readTx{tables: s.tables}
	defer tx.over.Store(true)
	return fn(tx)
}

// Update runs fn once, alone. Whatever way fn ends other than by returning nil — an error, a panic, runtime.Goexit —
// what it wrote is undone.
func (s *Store) Update(ctx context.Context, fn func(engine.Tx) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	tx := &writeTx{readTx: readTx{tables: s.tables}}
	done := false
	defer func() {
		tx.over.Store(true)
		if !done {
			tx.rollback()
		}
	}()
	if err := fn(tx); err != nil {
		return err
	}
	done = true
	return nil
}

// Exclusive is false. No second process can have the store open, but several engines of this one can, as a test of
// failing over has it; none of them may take the others' leases away.
func (s *Store) Exclusive() bool { return false }

// Counts returns how many rows there are, by noun.
func (s *Store) Counts(ctx context.Context) (map[string]int, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return map[string]int{
		"recordings":  len(s.tables.recordings.rows),
		"uploads":     len(s.tables.uploads.rows),
		"transcripts": len(s.tables.transcripts.rows),
		"jobs":        len(s.tables.jobsByKey.groups), // one live job each
	}, nil
}
