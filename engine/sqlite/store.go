package sqlite

import (
	"cmp"
	"context"
	"errors"
	"os"
	"sync"

	"github.com/soundstage-dev/soundstage/engine"
)

// Store implements engine.Store in a file. Updates run one at a time; Views run concurrently with them and with each other.
// Waiting for another Update within an Update, or calling Close within an Update or a View, deadlocks.
type Store struct {
	path    string
	locks   []*os.File // locked while the Store is open, so that other processes can't open the database
	files   fileSet    // to notice that they were deleted or replaced
	health  health
	writer  *pool  // a single connection
	group   *group // transaction of the writer that isn't committed yet; only the goroutine that has the writer uses it
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
	return transact(c, func(t *tx) error { return fn(&t.readTx) })
}

// Update runs fn exclusively and commits its writes. If fn returns an error, panics, or calls runtime.Goexit, or if a statement
// failed and fn ignored it, nothing of it is committed.
//
// Updates that wait for each other share one transaction: fn sees the writes of those before it, and if the commit fails, it fails for all.
func (s *Store) Update(ctx context.Context, fn func(engine.Tx) error) error {
	c, err := s.writer.take(ctx, s.closed)
	if err != nil {
		return err
	}
	g, first, err := s.write(ctx, c, func(t *tx) error {
		if err := s.files.check(); err != nil { // the commit would be lost
			return err
		}
		return fn(t)
	})
	if g == nil {
		return err
	}
	if first {
		s.commit(g)
	}
	<-g.ended
	return cmp.Or(g.err, err)
}

// write runs fn in a group, and gives the writer back. It returns no group if fn didn't run, or failed without company.
func (s *Store) write(ctx context.Context, c *conn, fn func(*tx) error) (g *group, first bool, err error) {
	defer func() { s.giveBack(c) }()
	if ctx.Err() != nil {
		return nil, false, context.Cause(ctx)
	}
	if g = s.group; g != nil {
		return g, false, s.join(c, fn)
	}
	g, err = s.begin(c, fn)
	return g, true, err
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

// Close waits for running Updates and Views, checkpoints the log if the disk has space for that, and releases the lock. Later calls fail
// with CodeUnavailable. Closing twice is no error.
func (s *Store) Close() (err error) {
	s.once.Do(func() {
		close(s.closed)
		s.health.checking.Wait()
		err = translate(errors.Join(s.readers.close(nil), s.writer.close(s.last), unlock(s.locks)))
	})
	return err
}

// last is the last use of the writer. It commits a group whose first member waits for the writer.
func (s *Store) last(c *conn) error {
	if s.group != nil {
		s.end(c, translate(c.commit()))
	}
	return optimize(c)
}

// optimize updates the planner's statistics and moves the log into the file. Both are optional: a file that wasn't closed is
// equally valid. So a full disk is no error.
func optimize(c *conn) error {
	var errs []error
	for _, step := range []string{"PRAGMA optimize", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		err := c.script(step)
		if said, _ := failureOf(err); !isFull(err, said) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
