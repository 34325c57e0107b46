package sqlite

import (
	"database/sql/driver"
	"strings"
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

// one returns the only row of a query, or CodeNotFound for what it is called.
func one[T any](t *readTx, noun string, scan func(*row) T, query string, args ...driver.Value) (v T, err error) {
	found := false
	if err := t.query(func(r *row) { v, found = scan(r), true }, query, args...); err != nil {
		return v, err
	}
	if !found {
		return v, engine.NotFound("", noun)
	}
	return v, nil
}

// all returns every row of a query.
func all[T any](t *readTx, scan func(*row) T, query string, args ...driver.Value) ([]T, error) {
	list := []T{}
	if err := t.query(func(r *row) { list = append(list, scan(r)) }, query, args...); err != nil {
		return nil, err
	}
	return list, nil
}

// upsert returns the statement that inserts a row, or replaces the one that has its id: the first of the columns.
func upsert(table, columns string) string {
	names := strings.Split(columns, ", ")
	var sets []string
	for _, name := range names[1:] {
		sets = append(sets, name+" = excluded."+name)
	}
	return insert(table, columns) + " ON CONFLICT (" + names[0] + ") DO UPDATE SET " + strings.Join(sets, ", ")
}

// insert returns the statement that inserts a row.
func insert(table, columns string) string {
	marks := strings.Repeat("?, ", strings.Count(columns, ","))
	return "INSERT INTO " + table + " (" + columns + ") VALUES (" + marks + "?)"
}
