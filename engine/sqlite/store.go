package sqlite

import (
	"context"
	"errors"
	"os"
	"sync"

	"github.com/soundstage-dev/soundstage/engine"
)

// Store implements engine.Store in a file. Updates run one at a time; Views run concurrently with them and with each other.
// Starting an Update within another, or calling Close within an Update or a View, deadlocks.
type Store struct {
	path    string
	locks   []*os.File // locked while the Store is open, so that other processes can't open the database
	files   fileSet    // to notice that they were deleted or replaced
	health  health
	writer  *pool // a single connection
	readers *pool
	once    sync.Once
	closed  chan struct{}
}

var (
	_ engine.Store          = (*Store)(nil)
	_ engine.ExclusiveStore = (*Store)(nil)
	_ engine.CountingStore  = (*Store)(nil)

	_ engine.StatusCountingStore = (*Store)(nil)
)

// View runs fn on a snapshot, taken at its first read.
func (s *Store) View(ctx context.Context, fn func(engine.ReadTx) error) error {
	return s.view(ctx, func(t *readTx) error { return fn(t) })
}

func (s *Store) view(ctx context.Context, fn func(*readTx) error) error {
	c, err := s.readers.take(ctx, s.closed)
	if err != nil {
		return err
	}
	defer s.readers.put(c)
	return transact(c, begin, func(t *tx) error { return fn(&t.readTx) })
}

// Update runs fn exclusively and commits its writes. If fn returns an error, panics, or calls runtime.Goexit, or if a statement
// failed and fn ignored it, nothing is committed.
func (s *Store) Update(ctx context.Context, fn func(engine.Tx) error) error {
	c, err := s.writer.take(ctx, s.closed)
	if err != nil {
		return err
	}
	defer s.writer.put(c)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return transact(c, beginImmediate, func(t *tx) error {
		if err := s.files.check(); err != nil { // the commit would be lost
			return err
		}
		return fn(t)
	})
}

// Exclusive returns true, because the lock prevents other processes from opening the file.
func (s *Store) Exclusive() bool { return true }

// Counts returns the number of recordings, uploads, transcripts, and unfinished jobs.
func (s *Store) Counts(ctx context.Context) (map[string]int, error) {
	counts := map[string]int{}
	err := s.view(ctx, func(t *readTx) error {
		return t.query(func(r *row) { counts[r.Text()] = r.Int() }, `SELECT 'recordings', count(*) FROM recordings
			UNION ALL SELECT 'uploads', count(*) FROM uploads
			UNION ALL SELECT 'transcripts', count(*) FROM transcripts
			UNION ALL SELECT 'jobs', count(*) FROM jobs WHERE `+live)
	})
	return counts, err
}

// Close waits for running Updates and Views, checkpoints the log, and releases the lock. Later calls fail with CodeUnavailable.
// Closing twice is no error.
func (s *Store) Close() (err error) {
	s.once.Do(func() {
		close(s.closed)
		s.health.checking.Wait()
		err = translate(errors.Join(s.readers.close(nil), s.writer.close(optimize), unlock(s.locks)))
	})
	return err
}

// optimize updates the planner's statistics and moves the log into the file. Both are optional: a file that wasn't closed is
// equally valid.
func optimize(c *conn) error {
	return errors.Join(c.script("PRAGMA optimize"), c.script("PRAGMA wal_checkpoint(TRUNCATE)"))
}
