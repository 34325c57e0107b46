package rows

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"time"
)

// Table describes the table of a noun. A visitor visits each column once with its name and a pointer to the field. Statements, arguments,
// and scanning all use it, so they can't disagree.
type Table[T any] struct {
	Name  string
	Noun  string   // name for NotFound
	Names []string // columns; those of the primary key come first
	Keys  []string // columns of the primary key

	visit func(*Columns, *T)
}

// New returns a table with the columns that visit visits.
func New[T any](name, noun string, visit func(*Columns, *T)) *Table[T] {
	var c Columns
	visit(&c, new(T))
	return &Table[T]{Name: name, Noun: noun, Names: c.names, Keys: c.keys, visit: visit}
}

// Scan reads the table's columns from a row into v, starting at the next column.
func (t *Table[T]) Scan(r *Row, v *T) {
	r.columns.row = r
	t.visit(&r.columns, v)
}

// Values returns the columns of v, with room for one more.
func (t *Table[T]) Values(v *T) ([]driver.Value, error) {
	c := Columns{args: make([]driver.Value, 0, len(t.Names)+1), writing: true}
	t.visit(&c, v)
	return c.args, c.err
}

// Columns visits the columns of a row: it reads them from row, writes them to args, or collects their names.
type Columns struct {
	row *Row

	writing bool
	args    []driver.Value
	err     error

	names, keys []string
}

func (c *Columns) name(name string) { c.names = append(c.names, name) }

func (c *Columns) write(v driver.Value) { c.args = append(c.args, v) }

// key visits a text column of the primary key. Keys must come first.
func key[S ~string](c *Columns, name string, p *S) {
	if text(c, name, p); c.row == nil && !c.writing {
		c.keys = append(c.keys, name)
	}
}

// keyNumber visits a number that is the primary key.
func keyNumber(c *Columns, name string, p *int64) {
	if number(c, name, p); c.row == nil && !c.writing {
		c.keys = append(c.keys, name)
	}
}

func text[S ~string](c *Columns, name string, p *S) {
	switch {
	case c.row != nil:
		*p = S(c.row.Text())
	case c.writing:
		c.write(string(*p))
	default:
		c.name(name)
	}
}

func number[N int | int64](c *Columns, name string, p *N) {
	switch {
	case c.row != nil:
		*p = N(c.row.Int64())
	case c.writing:
		c.write(int64(*p))
	default:
		c.name(name)
	}
}

func fraction(c *Columns, name string, p *float64) {
	switch {
	case c.row != nil:
		*p = column[float64](c.row)
	case c.writing:
		c.write(*p)
	default:
		c.name(name)
	}
}

func flag(c *Columns, name string, p *bool) {
	switch {
	case c.row != nil:
		*p = c.row.Bool()
	case c.writing:
		c.write(*p)
	default:
		c.name(name)
	}
}

// timestamp visits a time in microseconds since 1970.
func timestamp(c *Columns, name string, p *time.Time) {
	switch {
	case c.row != nil:
		*p = c.row.Time()
	case c.writing:
		c.write(Micros(*p))
	default:
		c.name(name)
	}
}

// duration visits a duration in microseconds.
func duration(c *Columns, name string, p *time.Duration) {
	switch {
	case c.row != nil:
		*p = c.row.Duration()
	case c.writing:
		c.write(p.Microseconds())
	default:
		c.name(name)
	}
}

func hash(c *Columns, name string, p *[32]byte) {
	switch {
	case c.row != nil:
		*p = c.row.Hash()
	case c.writing:
		c.write(p[:])
	default:
		c.name(name)
	}
}

// optional visits a column that is NULL for a nil pointer.
func optional[T any](c *Columns, name string, p **T, visit func(*Columns, string, *T)) {
	switch {
	case c.row != nil && !c.row.Null():
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
func bytes[T any](c *Columns, name string, p *T, encode func(T) driver.Value, decode func([]byte) (T, error)) {
	switch {
	case c.row != nil && !c.row.Null():
		var err error
		if *p, err = decode(column[[]byte](c.row)); err != nil {
			c.row.Fail(fmt.Errorf("column %s: %w", name, err))
		}
	case c.row != nil:
	case c.writing:
		c.write(encode(*p))
	default:
		c.name(name)
	}
}

// list visits a slice as JSON. A nil slice is NULL, so that nil and empty slices remain distinct.
func list[T any](c *Columns, name string, p *[]T) {
	if c.writing && *p == nil {
		c.write(nil)
		return
	}
	asJSON(c, name, p)
}

// asJSON visits a value as JSON; NULL leaves it unchanged.
func asJSON[T any](c *Columns, name string, p *T) {
	switch {
	case c.row != nil && !c.row.Null():
		if err := json.Unmarshal([]byte(c.row.Text()), p); err != nil {
			c.row.Fail(fmt.Errorf("column %s: %w", name, err))
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
func derived(c *Columns, name string, of func() string) {
	switch {
	case c.row != nil:
		c.row.Next++
	case c.writing:
		c.write(of())
	default:
		c.name(name)
	}
}
