package sqlite

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// table describes the table of a noun. visit visits each column once with its name and a pointer to the field. SELECT, INSERT,
// and scanning all use it, so they can't disagree.
type table[T any] struct {
	summed
	noun    string // name for NotFound
	visit   func(*columns, *T)
	columns string // columns of a SELECT, with the checksum
	get     string // selects the row with a key
	insert  string // inserts a new row
	put     string // inserts a row, or replaces the one with the same key
}

// newTable returns a table with its statements.
func newTable[T any](name, noun string, visit func(*columns, *T)) *table[T] {
	var c columns
	visit(&c, new(T))
	t := &table[T]{summed: summed{name, c.names, c.keys, sumColumn}, noun: noun, visit: visit}
	all := append(slices.Clone(c.names), sumColumn)
	t.columns = strings.Join(all, ", ")
	t.get = "SELECT " + t.columns + " FROM " + name + " WHERE " + strings.Join(c.keys, " = ? AND ") + " = ?"
	t.insert = "INSERT INTO " + name + " (" + t.columns + ") VALUES (" + strings.Repeat("?, ", len(all)-1) + "?)"
	var sets []string
	for _, column := range all {
		sets = append(sets, column+" = excluded."+column)
	}
	t.put = t.insert + " ON CONFLICT (" + strings.Join(c.keys, ", ") + ") DO UPDATE SET " + strings.Join(sets[len(c.keys):], ", ")
	return t
}

// scan reads the table's columns from a row into v, starting at the next column. It checks the checksum first, so that no damaged
// value is decoded.
func (t *table[T]) scan(r *row, v *T) {
	if !r.checkSum(&t.summed) {
		return
	}
	r.columns.row = r
	t.visit(&r.columns, v)
	r.next++ // the checksum
}

// values returns the arguments of insert and put.
func (t *table[T]) values(v *T) ([]driver.Value, error) {
	c := columns{args: make([]driver.Value, 0, len(t.names)+2), writing: true}
	t.visit(&c, v)
	return append(c.args, sumOf(c.args)), c.err
}

// columns visits the columns of a row: it reads them from row, writes them to args, or collects their names.
type columns struct {
	row *row

	writing bool
	args    []driver.Value
	err     error

	names, keys []string
}

func (c *columns) name(name string) { c.names = append(c.names, name) }

func (c *columns) write(v driver.Value) { c.args = append(c.args, v) }

// key visits a text column of the primary key. Keys must come first.
func key[S ~string](c *columns, name string, p *S) {
	if text(c, name, p); c.row == nil && !c.writing {
		c.keys = append(c.keys, name)
	}
}

// keyNumber visits a number that is the primary key.
func keyNumber(c *columns, name string, p *int64) {
	if number(c, name, p); c.row == nil && !c.writing {
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

// timestamp visits a time in microseconds since 1970.
func timestamp(c *columns, name string, p *time.Time) {
	switch {
	case c.row != nil:
		*p = c.row.time()
	case c.writing:
		c.write(micros(*p))
	default:
		c.name(name)
	}
}

// duration visits a duration in microseconds.
func duration(c *columns, name string, p *time.Duration) {
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

// optional visits a column that is NULL for a nil pointer.
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

// bytes visits a column in a binary format; encode returns nil for NULL.
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

// list visits a slice as JSON. A nil slice is NULL, so that nil and empty slices remain distinct.
func list[T any](c *columns, name string, p *[]T) {
	if c.writing && *p == nil {
		c.write(nil)
		return
	}
	asJSON(c, name, p)
}

// asJSON visits a value as JSON; NULL leaves it unchanged.
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

// derived visits a column that is written for queries. It is read only for the checksum.
func derived(c *columns, name string, of func() string) {
	switch {
	case c.row != nil:
		c.row.next++
	case c.writing:
		c.write(of())
	default:
		c.name(name)
	}
}
