package sqlite

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// table is where the rows of a noun are. Its columns are a function that visits each of them once, by its name and where a value
// has it: so the columns of a SELECT, the values of an INSERT and what is read can't differ.
type table[T any] struct {
	noun    string // as NotFound says it
	visit   func(*columns, *T)
	columns string // to read
	get     string // the row of a key
	insert  string // a row, which must be new
	put     string // insert, or replace the row of the same key
}

// newTable makes the statements of a table.
func newTable[T any](name, noun string, visit func(*columns, *T)) *table[T] {
	var c columns
	visit(&c, new(T))
	t := &table[T]{noun: noun, visit: visit, columns: strings.Join(c.read, ", ")}
	t.get = "SELECT " + t.columns + " FROM " + name + " WHERE " + strings.Join(c.keys, " = ? AND ") + " = ?"
	t.insert = "INSERT INTO " + name + " (" + strings.Join(c.names, ", ") + ") VALUES (" + strings.Repeat("?, ", len(c.names)-1) + "?)"
	var sets []string
	for _, column := range c.names {
		sets = append(sets, column+" = excluded."+column)
	}
	t.put = t.insert + " ON CONFLICT (" + strings.Join(c.keys, ", ") + ") DO UPDATE SET " + strings.Join(sets[len(c.keys):], ", ")
	return t
}

// scan reads a row into v. It takes the columns of the table, from the next one on.
func (t *table[T]) scan(r *row, v *T) {
	r.columns.row = r
	t.visit(&r.columns, v)
}

// values returns a row to write.
func (t *table[T]) values(v *T) ([]driver.Value, error) {
	c := columns{args: make([]driver.Value, 0, strings.Count(t.columns, ",")+2), writing: true}
	t.visit(&c, v)
	return c.args, c.err
}

// columns visits the columns of a row: it reads them from row, writes them to args, or collects their names.
type columns struct {
	row *row

	writing bool
	args    []driver.Value
	err     error

	names, keys, read []string
}

// name collects a column that is read and written.
func (c *columns) name(name string) {
	c.names, c.read = append(c.names, name), append(c.read, name)
}

func (c *columns) write(v driver.Value) { c.args = append(c.args, v) }

// key is a text by which a row is found. Keys come first.
func key[S ~string](c *columns, name string, p *S) {
	if text(c, name, p); c.row == nil && !c.writing {
		c.keys = append(c.keys, name)
	}
}

func text[S ~string](c *columns, name string, p *S) {
	switch {
	case c.row != nil:
		*p = S(c.row.text())
	case c.writing:
		c.write(string(*p))
	default:
		c.name(name)
	}
}

func number[N int | int64](c *columns, name string, p *N) {
	switch {
	case c.row != nil:
		*p = N(c.row.int64())
	case c.writing:
		c.write(int64(*p))
	default:
		c.name(name)
	}
}

func fraction(c *columns, name string, p *float64) {
	switch {
	case c.row != nil:
		*p = column[float64](c.row)
	case c.writing:
		c.write(*p)
	default:
		c.name(name)
	}
}

func flag(c *columns, name string, p *bool) {
	switch {
	case c.row != nil:
		*p = c.row.bool()
	case c.writing:
		c.write(*p)
	default:
		c.name(name)
	}
}

// moment is a time in microseconds since 1970.
func moment(c *columns, name string, p *time.Time) {
	switch {
	case c.row != nil:
		*p = c.row.time()
	case c.writing:
		c.write(micros(*p))
	default:
		c.name(name)
	}
}

// length is a duration in microseconds.
func length(c *columns, name string, p *time.Duration) {
	switch {
	case c.row != nil:
		*p = c.row.duration()
	case c.writing:
		c.write(p.Microseconds())
	default:
		c.name(name)
	}
}

func hash(c *columns, name string, p *[32]byte) {
	switch {
	case c.row != nil:
		*p = c.row.hash()
	case c.writing:
		c.write(p[:])
	default:
		c.name(name)
	}
}

// optional is a column that NULL leaves out.
func optional[T any](c *columns, name string, p **T, visit func(*columns, string, *T)) {
	switch {
	case c.row != nil && !c.row.null():
		*p = new(T)
		visit(c, name, *p)
	case c.row != nil:
	case c.writing && *p == nil:
		c.write(nil)
	case c.writing:
		visit(c, name, *p)
	default:
		c.name(name)
	}
}

// bytes is a column of bytes in a code of our own; encode returns nil for NULL.
func bytes[T any](c *columns, name string, p *T, encode func(T) driver.Value, decode func([]byte) (T, error)) {
	switch {
	case c.row != nil && !c.row.null():
		var err error
		if *p, err = decode(column[[]byte](c.row)); err != nil {
			c.row.fail(fmt.Errorf("column %s: %w", name, err))
		}
	case c.row != nil:
	case c.writing:
		c.write(encode(*p))
	default:
		c.name(name)
	}
}

// list is a list as JSON: NULL for a nil one, so that nil and empty stay what they are.
func list[T any](c *columns, name string, p *[]T) {
	if c.writing && *p == nil {
		c.write(nil)
		return
	}
	asJSON(c, name, p)
}

// asJSON is a value as JSON; NULL leaves it out.
func asJSON[T any](c *columns, name string, p *T) {
	switch {
	case c.row != nil && !c.row.null():
		if err := json.Unmarshal([]byte(c.row.text()), p); err != nil {
			c.row.fail(fmt.Errorf("column %s: %w", name, err))
		}
	case c.row != nil:
	case c.writing:
		b, err := json.Marshal(*p)
		if c.err == nil && err != nil {
			c.err = fmt.Errorf("column %s: %w", name, err)
		}
		c.write(string(b))
	default:
		c.name(name)
	}
}

// derived is a column that is written for queries and never read.
func derived(c *columns, name string, of func() string) {
	switch {
	case c.row != nil:
	case c.writing:
		c.write(of())
	default:
		c.names = append(c.names, name)
	}
}
