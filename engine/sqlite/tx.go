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

// readTx is a transaction that only reads; it has no method that writes. After a statement has failed, every later one
// fails with the same error.
type readTx struct {
	conn *conn
	err  error
	over atomic.Bool // set at its end: by then the connection is somebody else's
}

// tx is a transaction that reads and writes.
type tx struct {
	readTx
}

var (
	_ engine.ReadTx = (*readTx)(nil)
	_ engine.Tx     = (*tx)(nil)
)

// transact runs fn between BEGIN and COMMIT, or ROLLBACK unless it returns nil. A transaction that SQLite ended before can't be
// committed.
func transact(c *conn, begin string, fn func(*tx) error) error {
	if err := c.begin(begin); err != nil {
		return translate(err)
	}
	t := &tx{readTx{conn: c}}
	committed := false
	defer func() {
		t.over.Store(true)
		if !committed {
			_ = c.rollback() // a connection that is still in the transaction is thrown away
		}
	}()
	if err := fn(t); err != nil {
		return err
	}
	if t.err != nil {
		return t.err
	}
	if err := c.commit(); err != nil {
		return translate(err)
	}
	committed = true
	return nil
}

// query calls scan for each row. scan must not use the transaction.
func (t *readTx) query(scan func(*row), query string, args ...driver.Value) error {
	if t.over.Load() {
		return errOver
	}
	if t.err == nil {
		t.err = translate(t.conn.query(scan, query, args...))
	}
	return t.err
}

// fail makes the transaction fail with a defect that isn't SQLite's.
func (t *readTx) fail(err error) error {
	if t.err == nil {
		t.err = internal(err)
	}
	return t.err
}

// exec runs a statement that writes.
func (t *tx) exec(query string, args ...driver.Value) error {
	if t.over.Load() {
		return errOver
	}
	if t.err == nil {
		t.err = translate(t.conn.exec(query, args...))
	}
	return t.err
}

// write puts a row with a statement of its table.
func write[T any](t *tx, tab *table[T], statement string, v T) error {
	values, err := tab.values(&v)
	if err != nil {
		return t.fail(err)
	}
	return t.exec(statement, values...)
}

// one returns the only row of a query, or CodeNotFound.
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

// each returns what scan makes of every row of a query.
func each[T any](t *readTx, scan func(*row) T, query string, args ...driver.Value) ([]T, error) {
	list := []T{}
	if err := t.query(func(r *row) { list = append(list, scan(r)) }, query, args...); err != nil {
		return nil, err
	}
	return list, nil
}
