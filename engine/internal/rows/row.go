package rows

import (
	"database/sql/driver"
	"fmt"
	"time"
)

// Row is one row of a result. Its methods take the columns from left to right, in the order of the SELECT. Err is the first error. A value
// is nil, an int64, a float64, a string, a []byte, or a bool; a bool may also be an int64.
type Row struct {
	Values []driver.Value
	Next   int // index of the next column
	Err    error

	columns Columns // visitor that a table reads the row with; kept here to avoid an allocation per row
}

// column takes the next column, which must be a T.
func column[T any](r *Row) T {
	v, ok := r.Values[r.Next].(T)
	if !ok {
		r.Fail(fmt.Errorf("column %d is %T, want %T", r.Next, r.Values[r.Next], v))
	}
	r.Next++
	return v
}

// Null takes the next column if it is NULL.
func (r *Row) Null() bool {
	if r.Values[r.Next] != nil {
		return false
	}
	r.Next++
	return true
}

// Fail sets Err if it isn't set yet.
func (r *Row) Fail(err error) {
	if r.Err == nil {
		r.Err = err
	}
}

// Text takes a text.
func (r *Row) Text() string { return column[string](r) }

// Int64 takes a number.
func (r *Row) Int64() int64 { return column[int64](r) }

// Int takes a number.
func (r *Row) Int() int { return int(r.Int64()) }

// Bytes takes bytes.
func (r *Row) Bytes() []byte { return column[[]byte](r) }

// Time takes a time in microseconds since 1970.
func (r *Row) Time() time.Time { return time.UnixMicro(r.Int64()).UTC() }

// Duration takes a duration in microseconds.
func (r *Row) Duration() time.Duration { return time.Duration(r.Int64()) * time.Microsecond }

// Bool takes a bool, which SQLite stores as a number.
func (r *Row) Bool() bool {
	if v, ok := r.Values[r.Next].(bool); ok {
		r.Next++
		return v
	}
	return r.Int64() != 0
}

// Hash takes 32 bytes.
func (r *Row) Hash() (h [32]byte) {
	if b := r.Bytes(); copy(h[:], b) != len(h) {
		r.Fail(fmt.Errorf("column %d has %d bytes, want %d", r.Next-1, len(b), len(h)))
	}
	return h
}

// Micros returns a time as it is stored.
func Micros(t time.Time) driver.Value { return t.UnixMicro() }

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
