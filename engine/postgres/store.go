package postgres

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
)

// Store implements engine.Store in a PostgreSQL database. It is safe for concurrent use, and any number of processes may share the database.
// Starting an Update within another may wait for itself.
type Store struct {
	pool    *pgxpool.Pool
	inserts *river.Client[pgx.Tx] // inserts River jobs; it doesn't work on them
	notes   *notes
	offset  offset
	stats   stats
	once    sync.Once
	closing context.CancelFunc
	tasks   sync.WaitGroup
}

var (
	_ engine.Store         = (*Store)(nil)
	_ engine.JoiningStore  = (*Store)(nil)
	_ engine.CountingStore = (*Store)(nil)

	_ engine.StatusCountingStore = (*Store)(nil)
)

// View runs fn on a snapshot, taken at its first read.
func (s *Store) View(ctx context.Context, fn func(engine.ReadTx) error) error {
	return s.view(ctx, func(t *readTx) error { return fn(t) })
}

var readOptions = pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}

func (s *Store) view(ctx context.Context, fn func(*readTx) error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	t := &tx{readTx: readTx{store: s, ctx: ctx, options: readOptions, retries: retries{began: time.Now()}}}
	committed := false
	defer func() { t.end(committed) }()
	if err := fn(&t.readTx); err != nil {
		return err
	}
	if t.failed != nil {
		return t.failed
	}
	if t.tx != nil {
		if err := t.tx.Commit(bg); err != nil && !isLost(err) { // everything was read
			return translate(err)
		}
		committed = true
	}
	return nil
}

// readOne reads the single row of a statement without a transaction, which would cost two more round trips: most requests begin with such a
// read. It runs again if the connection was lost. CodeNotFound if there is no row.
func (s *Store) readOne(ctx context.Context, scan func(*rows.Row), noun, sql string, args ...any) error {
	makeStorable(args)
	r := retries{began: time.Now()}
	for {
		found, err := s.tryOne(ctx, scan, sql, args)
		switch {
		case err == nil && !found:
			return engine.NotFound("", noun)
		case err == nil || ctx.Err() != nil || !r.allow(ctx, &s.stats, err):
			return translate(err)
		}
	}
}

func (s *Store) tryOne(ctx context.Context, scan func(*rows.Row), sql string, args []any) (found bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, statementTime)
	defer cancel()
	result, err := s.pool.Query(ctx, sql, args...)
	if err == nil {
		err = scanAll(result, func(r *rows.Row) { scan(r); found = true })
	}
	return found, err
}

// Counts returns the number of recordings, uploads, transcripts, and unfinished jobs. It counts rows, which takes seconds with millions of them.
func (s *Store) Counts(ctx context.Context) (map[string]int, error) {
	counts := map[string]int{}
	err := s.view(ctx, func(t *readTx) error {
		return t.query(func(r *rows.Row) { counts[r.Text()] = r.Int() }, `SELECT 'recordings', count(*) FROM recordings
			UNION ALL SELECT 'uploads', count(*) FROM uploads
			UNION ALL SELECT 'transcripts', count(*) FROM transcripts
			UNION ALL SELECT 'jobs', count(*) FROM jobs WHERE `+live)
	})
	return counts, err
}

// Depth returns the number of jobs that are due and wait for a worker, by class.
func (s *Store) Depth(ctx context.Context) (map[string]int, error) {
	counts := map[string]int{}
	err := s.view(ctx, func(t *readTx) error {
		return t.query(func(r *rows.Row) { counts[r.Text()] = r.Int() }, "SELECT class, count(*) FROM jobs WHERE "+waiting+" AND run_at <= "+microsNow+" GROUP BY class")
	})
	return counts, err
}

// Close ends the background tasks and the connections. It waits for running transactions. Later calls fail with CodeUnavailable. Closing
// twice is no error.
func (s *Store) Close() error {
	s.once.Do(func() {
		s.closing()
		s.tasks.Wait()
		s.pool.Close()
	})
	return nil
}

// Ready returns nil if the database answers and accepts writes, and CodeUnavailable otherwise. It takes one round trip.
func (s *Store) Ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	var readOnly bool
	if err := s.pool.QueryRow(ctx, "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::bool").Scan(&readOnly); err != nil {
		return translate(err)
	}
	if readOnly {
		return errReadOnly()
	}
	return nil
}

func errReadOnly() error {
	return engine.Errorf(engine.CodeUnavailable, "", "The database is read-only.").WithHint("Connect to the primary, not to a replica.").
		Because(errors.New("postgres: pg_is_in_recovery or default_transaction_read_only"))
}
