package postgres

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// transactionTime is how long a transaction may take. After it, the connection is closed, and the server ends the transaction: its own
// limits are shorter. It is about as long as the lease of a job.
const transactionTime = 25 * time.Second

// readTx is a read-only transaction. It begins with its first statement, so a transaction without statements costs nothing. After a
// statement fails, every later one fails with the same error.
type readTx struct {
	store   *Store
	ctx     context.Context // of the caller, only for the wait for a connection
	options pgx.TxOptions
	lane    bool // whether to take the lane first: see retry.go
	wrote   bool
	scanned bool // whether fn has seen a row
	retries retries

	conn    *pgxpool.Conn // nil before the first statement
	tx      pgx.Tx        // nil before the first statement
	waiting []*statement  // writes to be sent with the next read or at the end
	err     error         // of the first failed statement, as PostgreSQL said it
	failed  error         // the same, translated
	ended   atomic.Bool
}

// tx is a read-write transaction.
type tx struct {
	readTx
	due        []due // jobs that begin to wait
	canceled   []queue.ID
	lastEvent  int64 // highest Number after this transaction's events
	knowsEvent bool
}

var (
	_ engine.ReadTx = (*readTx)(nil)
	_ engine.Tx     = (*tx)(nil)
)

// statement is a write that waits to be sent.
type statement struct {
	sql  string
	args []any
	rows int64 // rows that it wrote, once it was sent
}

var bg = context.Background() // statements have a deadline on their connection instead, which costs less

// query calls scan for each row. scan must not use the transaction.
func (t *readTx) query(scan func(*rows.Row), sql string, args ...any) error {
	if t.ended.Load() {
		return errEnded
	}
	if t.failed == nil {
		makeStorable(args)
		t.fail(t.read(func(r *rows.Row) { t.scanned = true; scan(r) }, sql, args))
	}
	return t.failed
}

// fail makes the transaction fail.
func (t *readTx) fail(err error) {
	if err != nil && t.failed == nil {
		t.err, t.failed = err, translate(err)
	}
}

// read runs a statement that returns rows, after the waiting ones.
func (t *readTx) read(scan func(*rows.Row), sql string, args []any) error {
	if t.tx != nil && len(t.waiting) == 0 {
		result, err := t.tx.Query(bg, sql, args...)
		if err != nil {
			return err
		}
		return scanAll(result, scan)
	}
	return t.send(func(b *pgx.Batch) { b.Queue(sql, args...) }, func(results pgx.BatchResults) error {
		result, err := results.Query()
		if err != nil {
			return err
		}
		return scanAll(result, scan)
	})
}

// send sends what begins the transaction, the waiting statements, and what add adds, in one round trip. take takes the results of the last.
func (t *readTx) send(add func(*pgx.Batch), take func(pgx.BatchResults) error) error {
	b, begins := &pgx.Batch{}, t.tx == nil
	if begins {
		b.BeginTx(t.options)
		if t.lane {
			b.Queue(takeLane)
		}
	}
	for _, s := range t.waiting {
		b.Queue(s.sql, s.args...)
	}
	if add(b); b.Len() == 0 {
		return nil
	}
	results, err := t.start(b)
	if begins && isLost(err) && t.again(err) {
		return t.send(add, take)
	}
	if err != nil {
		return err
	}
	err = t.results(results, begins, take)
	if closed := results.Close(); err == nil {
		err = closed
	}
	if begins && err == nil {
		t.tx = results.Tx()
	}
	if begins && isLost(err) && t.again(err) {
		return t.send(add, take)
	}
	t.waiting = nil
	return err
}

// again reports whether to begin on another connection, after a pause. That is possible until a row was seen, because it would be seen twice.
func (t *readTx) again(err error) bool {
	if t.scanned || t.ctx.Err() != nil || !t.retries.allow(t.ctx, &t.store.stats, err) {
		return false
	}
	if t.conn != nil {
		t.conn.Release()
		t.conn = nil
	}
	return true
}

// start sends a batch, on a new connection if the transaction has none yet.
func (t *readTx) start(b *pgx.Batch) (pgx.BatchResults, error) {
	if t.tx != nil {
		return t.tx.SendBatch(bg, b), nil
	}
	conn, err := t.store.pool.Acquire(t.ctx)
	if err != nil {
		return nil, err
	}
	t.conn = conn
	_ = conn.Conn().PgConn().Conn().SetDeadline(time.Now().Add(transactionTime))
	return conn.SendBatch(bg, b), nil
}

// results takes the results of a batch.
func (t *readTx) results(results pgx.BatchResults, begins bool, take func(pgx.BatchResults) error) error {
	n := 0
	if begins {
		n = 1
		if t.lane {
			n = 2
		}
	}
	for range n {
		if _, err := results.Exec(); err != nil {
			return err
		}
	}
	for _, s := range t.waiting {
		tag, err := results.Exec()
		if err != nil {
			return err
		}
		s.rows = tag.RowsAffected()
	}
	return take(results)
}

// end releases the connection. A transaction that was not committed is rolled back.
func (t *readTx) end(committed bool) {
	t.ended.Store(true)
	if t.conn == nil {
		return
	}
	if !committed && t.tx != nil && !t.conn.Conn().IsClosed() {
		_ = t.tx.Rollback(bg)
	}
	if c := t.conn.Conn(); !c.IsClosed() {
		_ = c.PgConn().Conn().SetDeadline(time.Time{})
	}
	t.conn.Release() // the pool closes a connection that is still in a transaction
	t.conn = nil
}

// exec notes a write, which is sent with the next read or at the end.
func (t *tx) exec(sql string, args ...any) error {
	_, err := t.later(sql, args...)
	return err
}

// later is exec that returns the statement.
func (t *tx) later(sql string, args ...any) (*statement, error) {
	if t.ended.Load() {
		return nil, errEnded
	}
	makeStorable(args)
	s := &statement{sql: sql, args: args}
	t.wrote = true
	if t.failed == nil {
		if t.waiting = append(t.waiting, s); len(t.waiting) >= maxWaiting {
			t.fail(t.flush())
		}
	}
	return s, t.failed
}

// maxWaiting limits the writes that are sent at once. The index of a long transcript has 20,000 terms.
const maxWaiting = 1000

// flush sends the waiting writes.
func (t *readTx) flush() error {
	return t.send(func(*pgx.Batch) {}, func(pgx.BatchResults) error { return nil })
}

// write runs a statement of a table with the values of a row.
func write[T any](t *tx, tab *table[T], sql string, v T) error {
	_, err := writeLater(t, tab, sql, v)
	return err
}

func writeLater[T any](t *tx, tab *table[T], sql string, v T) (*statement, error) {
	args, err := tab.values(&v)
	if err != nil {
		t.fail(&engine.Error{Code: engine.CodeInternal, Err: err})
		return &statement{}, t.failed
	}
	return t.later(sql, args...)
}

// one returns the single row of a query, or CodeNotFound.
func one[T any](t *readTx, tab *table[T], sql string, args ...any) (v T, err error) {
	found := false
	if err := t.query(func(r *rows.Row) { tab.rows.Scan(r, &v); found = true }, sql, args...); err != nil {
		return v, err
	}
	if !found {
		return v, engine.NotFound("", tab.rows.Noun)
	}
	return v, nil
}

// all returns every row of a query.
func all[T any](t *readTx, tab *table[T], sql string, args ...any) ([]T, error) {
	return each(t, func(r *rows.Row) (v T) { tab.rows.Scan(r, &v); return v }, sql, args...)
}

// each returns the results of scan for every row of a query.
func each[T any](t *readTx, scan func(*rows.Row) T, sql string, args ...any) ([]T, error) {
	list := []T{}
	if err := t.query(func(r *rows.Row) { list = append(list, scan(r)) }, sql, args...); err != nil {
		return nil, err
	}
	return list, nil
}

// count runs a write and returns how many rows it wrote.
func (t *tx) count(sql string, args ...any) (int, error) {
	s, err := t.later(sql, args...)
	if err != nil {
		return 0, err
	}
	if t.fail(t.flush()); t.failed != nil {
		return 0, t.failed
	}
	return int(s.rows), nil
}

// errAborted is the reason of an Update that runs again, because its connection was lost before the commit.
var errAborted = &pgconn.PgError{Code: stateSerialization, Message: "the connection was lost before the commit"}

// errUnknown is the reason of an Update whose commit can't be confirmed.
var errUnknown = engine.Errorf(engine.CodeUnavailable, "", "The connection to the database was lost, and it is not known whether the change was written.").
	WithHint("Read the state before you try again.").Transient()
