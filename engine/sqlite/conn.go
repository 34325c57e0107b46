//go:build cgo

package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"

	"github.com/mattn/go-sqlite3"
)

// conn is one connection to the file with the statements that it has prepared. One goroutine uses it at a time.
//
// It talks to the driver itself. database/sql starts a goroutine for each transaction and each query, to watch contexts
// that must not reach a transaction anyway, and converts each column by reflection: authentication and a page of 26
// recordings take 94 µs through it and 44 µs like this.
type conn struct {
	db     *sqlite3.SQLiteConn
	stmts  map[string]*sqlite3.SQLiteStmt // by their text, of which there is a fixed number
	args   []driver.NamedValue            // reused by each statement
	values []driver.Value                 // reused by each row
}

// connect opens a connection.
func connect(dsn string) (*conn, error) {
	db, err := new(sqlite3.SQLiteDriver).Open(dsn)
	if err != nil {
		return nil, err
	}
	return &conn{db: db.(*sqlite3.SQLiteConn), stmts: map[string]*sqlite3.SQLiteStmt{}}, nil
}

// exec runs a statement that returns no rows.
func (c *conn) exec(query string, args ...driver.Value) error {
	s, err := c.prepare(query)
	if err != nil {
		return err
	}
	_, err = s.ExecContext(context.Background(), c.named(args))
	return err
}

// query calls scan for each row. scan must not use the connection.
func (c *conn) query(scan func(*row), query string, args ...driver.Value) error {
	s, err := c.prepare(query)
	if err != nil {
		return err
	}
	rows, err := s.QueryContext(context.Background(), c.named(args))
	if err != nil {
		return err
	}
	err = c.scan(rows, scan)
	if closeErr := rows.Close(); err == nil { // after a failed step it is the same error
		err = closeErr
	}
	return err
}

func (c *conn) scan(rows driver.Rows, scan func(*row)) error {
	n := len(rows.Columns())
	for len(c.values) < n {
		c.values = append(c.values, nil)
	}
	for {
		r := row{values: c.values[:n]}
		if err := rows.Next(r.values); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if scan(&r); r.err != nil {
			return r.err
		}
	}
}

// script runs any number of statements, which are not kept.
func (c *conn) script(statements string) error {
	_, err := c.db.ExecContext(context.Background(), statements, nil)
	return err
}

// text returns the first column of a statement's only row as a text.
func (c *conn) text(query string) (s string, err error) {
	err = c.query(func(r *row) { s = fmt.Sprint(r.values[0]) }, query)
	return s, err
}

// inTransaction reports whether BEGIN has neither been ended nor been rolled back by SQLite itself.
func (c *conn) inTransaction() bool { return !c.db.AutoCommit() }

func (c *conn) close() error {
	var errs []error
	for _, s := range c.stmts {
		errs = append(errs, s.Close())
	}
	return errors.Join(append(errs, c.db.Close())...)
}

func (c *conn) prepare(query string) (*sqlite3.SQLiteStmt, error) {
	if s, ok := c.stmts[query]; ok {
		return s, nil
	}
	s, err := c.db.PrepareContext(context.Background(), query)
	if err != nil {
		return nil, err
	}
	c.stmts[query] = s.(*sqlite3.SQLiteStmt)
	return c.stmts[query], nil
}

func (c *conn) named(args []driver.Value) []driver.NamedValue {
	c.args = c.args[:0]
	for i, a := range args {
		c.args = append(c.args, driver.NamedValue{Ordinal: i + 1, Value: a})
	}
	return c.args
}
