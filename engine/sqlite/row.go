package sqlite

import (
	"database/sql/driver"
	"fmt"
	"time"
)

// row is one row of a result. Its methods take the columns from left to right, in the order of the SELECT. err is the first
// error.
type row struct {
	values []driver.Value
	next   int
	err    error

	columns columns // visitor that a table reads the row with; kept here to avoid an allocation per row
	summer  summer  // checks the row; kept here for the same reason
}

// column takes the next column, which must be a T.
func column[T any](r *row) T {
	v, ok := r.values[r.next].(T)
	if !ok {
		r.fail(fmt.Errorf("column %d is %T, want %T", r.next, r.values[r.next], v))
	}
	r.next++
	return v
}

// checkSum reports whether the next columns, which are those of a table and their checksum, are undamaged. It doesn't take them.
func (r *row) checkSum(t *summed) bool {
	if r.err != nil {
		return false
	}
	end := r.next + len(t.names)
	values := r.values[r.next:end]
	if stored, ok := r.values[end].(int64); ok && stored == r.summer.sum(values) {
		return true
	}
	r.fail(t.damage(values))
	return false
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
		r.fail(fmt.Errorf("column %d has %d bytes, want %d", r.next-1, len(b), len(h)))
	}
	return h
}

func micros(t time.Time) driver.Value { return t.UnixMicro() }

// encodeBlob and decodeBlob store bytes unchanged; nil is NULL.
func encodeBlob(b []byte) driver.Value {
	if b == nil {
		return nil
	}
	return b
}

func decodeBlob(b []byte) ([]byte, error) {
	if b == nil {
		b = []byte{} // a driver may return nil for an empty blob
	}
	return b, nil
}
