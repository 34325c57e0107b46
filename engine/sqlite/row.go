package sqlite

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"time"
)

// row is one row of a result. Its methods take its columns from left to right, so a row is read in the order of its
// SELECT; err says which column was not what it should be.
type row struct {
	values []driver.Value
	next   int
	err    error
}

// column takes the next column, which must be a T.
func column[T any](r *row) T {
	v, ok := r.values[r.next].(T)
	if !ok {
		r.fail(fmt.Errorf("column %d is %T and not %T", r.next, r.values[r.next], v))
	}
	r.next++
	return v
}

// null takes the next column if it is NULL.
func (r *row) null() bool {
	if r.values[r.next] != nil {
		return false
	}
	r.next++
	return true
}

func (r *row) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *row) text() string            { return column[string](r) }
func (r *row) int64() int64            { return column[int64](r) }
func (r *row) int() int                { return int(r.int64()) }
func (r *row) bool() bool              { return r.int64() != 0 }
func (r *row) time() time.Time         { return time.UnixMicro(r.int64()).UTC() }
func (r *row) duration() time.Duration { return time.Duration(r.int64()) * time.Microsecond }

func (r *row) hash() (h [32]byte) {
	if b := column[[]byte](r); copy(h[:], b) != len(h) {
		r.fail(fmt.Errorf("column %d has %d bytes and not %d", r.next-1, len(b), len(h)))
	}
	return h
}

// blob takes a column of bytes; NULL is nil.
func (r *row) blob() []byte {
	if r.null() {
		return nil
	}
	return column[[]byte](r)
}

func (r *row) optionalTime() *time.Time {
	if r.null() {
		return nil
	}
	t := r.time()
	return &t
}

func (r *row) optionalInt() *int {
	if r.null() {
		return nil
	}
	n := r.int()
	return &n
}

// optional takes a column that some code must read; NULL is nil.
func optional[C, T any](r *row, decode func(C) (T, error)) (v T) {
	if r.null() {
		return v
	}
	v, err := decode(column[C](r))
	if err != nil {
		r.fail(fmt.Errorf("column %d: %w", r.next-1, err))
	}
	return v
}

// fromJSON decodes what toJSON made.
func fromJSON[T any](s string) (v T, err error) {
	err = json.Unmarshal([]byte(s), &v)
	return v, err
}

// The functions below make columns of values.

func micros(t time.Time) driver.Value             { return t.UnixMicro() }
func durationMicros(d time.Duration) driver.Value { return d.Microseconds() }

func optionalMicros(t *time.Time) driver.Value {
	if t == nil {
		return nil
	}
	return micros(*t)
}

func optionalNumber(n *int) driver.Value {
	if n == nil {
		return nil
	}
	return int64(*n)
}

// toJSON returns a list as a column: NULL for a nil one, so that nil and empty stay what they are.
func toJSON[T any](list []T) (driver.Value, error) {
	if list == nil {
		return nil, nil
	}
	b, err := json.Marshal(list)
	return string(b), err
}
