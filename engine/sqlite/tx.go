package sqlite

import (
	"database/sql/driver"
	"sync/atomic"

	"github.com/soundstage-dev/soundstage/engine"
)

const (
	begin          = "BEGIN"
	beginImmediate = "BEGIN IMMEDIATE"
)

// readTx is a read-only transaction. After a statement fails, every later one fails with the same error.
type readTx struct {
	conn  *conn
	err   error
	ended atomic.Bool // set when the transaction ends, because the connection may then be reused
}

// tx is a read-write transaction.
type tx struct {
	readTx
}

var (
	_ engine.ReadTx = (*readTx)(nil)
	_ engine.Tx     = (*tx)(nil)
)

// transact runs fn between BEGIN and COMMIT; if fn fails, ROLLBACK.
func transact(c *conn, fn func(*tx) error) error {
	if err := c.begin(begin); err != nil {
		return translate(err)
	}
	undo := func(error) { _ = c.rollback() } // the pool closes a connection that is still in the transaction
	if err := attempt(c, fn, undo); err != nil {
		return err
	}
	if err := c.commit(); err != nil {
		undo(err)
		return translate(err)
	}
	return nil
}

// attempt runs fn. If it fails, panics, or calls runtime.Goexit, or if a statement failed and fn ignored it, attempt calls undo with the error
// of the statement, or nil.
func attempt(c *conn, fn func(*tx) error, undo func(cause error)) error {
	t := &tx{readTx: readTx{conn: c}}
	done := false
	defer func() {
		t.ended.Store(true)
		if !done {
			undo(t.err)
		}
	}()
	if err := fn(t); err != nil {
		return err
	}
	if t.err != nil {
		return t.err
	}
	done = true
	return nil
}

// query calls scan for each row. scan must not use the transaction.
func (t *readTx) query(scan func(*row), query string, args ...driver.Value) error {
	if t.ended.Load() {
		return errEnded
	}
	if t.err == nil {
		t.err = translate(t.conn.query(scan, query, args...))
	}
	return t.err
}

// fail makes the transaction fail with an internal error that isn't SQLite's.
func (t *readTx) fail(err error) error {
	if t.err == nil {
		t.err = internal(err)
	}
	return t.err
}

// exec runs a writing statement.
func (t *tx) exec(query string, args ...driver.Value) error {
	if t.ended.Load() {
		return errEnded
	}
	if t.err == nil {
		t.err = translate(t.conn.exec(query, args...))
	}
	return t.err
}

// write runs a statement of a table with the values of a row.
func write[T any](t *tx, tab *table[T], statement string, v T) error {
	values, err := tab.values(&v)
	if err != nil {
		return t.fail(err)
	}
	return t.exec(statement, values...)
}

// one returns the single row of a query, or CodeNotFound.
func one[T any](t *readTx, tab *table[T], query string, args ...driver.Value) (v T, err error) {
	found := false
	if err := t.query(func(r *row) { tab.scan(r, &v); found = true }, query, args...); err != nil {
		return v, err
	}
	if !found {
		return v, engine.NotFound("", tab.noun)
	}
	return v, nil
}

// all returns every row of a query.
func all[T any](t *readTx, tab *table[T], query string, args ...driver.Value) ([]T, error) {
	list := []T{}
	if err := t.query(func(r *row) {
		list = append(list, *new(T))
		tab.scan(r, &list[len(list)-1])
	}, query, args...); err != nil {
		return nil, err
	}
	return list, nil
}

// each returns the results of scan for every row of a query.
func each[T any](t *readTx, scan func(*row) T, query string, args ...driver.Value) ([]T, error) {
	list := []T{}
	if err := t.query(func(r *row) { list = append(list, scan(r)) }, query, args...); err != nil {
		return nil, err
	}
	return list, nil
}
