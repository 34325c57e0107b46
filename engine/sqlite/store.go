package sqlite

import (
	"context"
	"errors"
	"os"
	"sync"

	"github.com/soundstage-dev/soundstage/engine"
)

// Store is an engine.Store in a file. Updates run one after the other; Views run beside them and beside each other. An
// Update must not be started from within another, nor Close from within either: it would wait for itself.
type Store struct {
	lock    *os.File // holding it open keeps other processes away
	writer  *pool    // of one
	readers *pool
	once    sync.Once
	closed  chan struct{}
}

var (
	_ engine.Store          = (*Store)(nil)
	_ engine.ExclusiveStore = (*Store)(nil)
	_ engine.CountingStore  = (*Store)(nil)
)

// View runs fn on a snapshot, which is that of its first read.
func (s *Store) View(ctx context.Context, fn func(engine.ReadTx) error) error {
	return s.view(ctx, func(t *readTx) error { return fn(t) })
}

func (s *Store) view(ctx context.Context, fn func(*readTx) error) error {
	c, err := s.readers.take(ctx, s.closed)
	if err != nil {
		return err
	}
	defer s.readers.give(c)
	return transact(c, begin, func(t *tx) error { return fn(&t.readTx) })
}

// Update runs fn once, when no other Update runs. Whatever way fn ends other than by returning nil — an error, a panic,
// runtime.Goexit — nothing of it stays, and neither does it when a statement failed and fn went on as if it hadn't.
func (s *Store) Update(ctx context.Context, fn func(engine.Tx) error) error {
	c, err := s.writer.take(ctx, s.closed)
	if err != nil {
		return err
	}
	defer s.writer.give(c)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return transact(c, beginImmediate, func(t *tx) error { return fn(t) })
}

// Exclusive is true: the lock keeps every other process away.
func (s *Store) Exclusive() bool { return true }

// Counts returns how many rows there are, by noun.
func (s *Store) Counts(ctx context.Context) (map[string]int, error) {
	counts := map[string]int{}
	err := s.view(ctx, func(t *readTx) error {
		return t.query(func(r *row) { counts[r.text()] = r.int() }, `SELECT 'recordings', count(*) FROM recordings
			UNION ALL SELECT 'uploads', count(*) FROM uploads
			UNION ALL SELECT 'transcripts', count(*) FROM transcripts
			UNION ALL SELECT 'jobs', count(*) FROM jobs WHERE `+live)
	})
	return counts, err
}

// Close waits for the Updates and Views that run, brings the file in order and releases its lock. Whatever comes later
// fails with CodeUnavailable. Closing twice is no error.
func (s *Store) Close() (err error) {
	s.once.Do(func() {
		close(s.closed)
		err = translate(errors.Join(s.readers.close(nil), s.writer.close(tidy), unlockFile(s.lock)))
	})
	return err
}

// tidy leaves statistics for the planner of queries, and everything in the file itself. Neither is needed: a file that
// wasn't closed is as good as one that was.
func tidy(c *conn) error {
	return errors.Join(c.script("PRAGMA optimize"), c.script("PRAGMA wal_checkpoint(TRUNCATE)"))
}
