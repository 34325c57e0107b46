package sqlite

import (
	"database/sql/driver"
	"encoding/binary"
	"hash/crc32"
	"math"
)

// Each row has a checksum of its columns, because SQLite doesn't notice damage inside a value: a flipped bit in a title is just
// another title. It is a CRC-32C, which detects every change of up to 32 adjacent bits and misses one of 4 billion others.

const (
	sumColumn      = "row_sum"   // of every table that a table[T] describes
	partsSumColumn = "parts_sum" // of postings, which are joined with documents
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// summer computes checksums. It keeps its buffer from row to row.
type summer struct {
	crc uint32
	buf []byte
}

// flushAt is the number of bytes after which large values are added without copying them.
const flushAt = 4 << 10

// sum returns the checksum of the values as SQLite returns them: a bool is an integer.
func (s *summer) sum(values []driver.Value) int64 {
	s.crc, s.buf = 0, s.buf[:0]
	for _, v := range values {
		s.add(v)
	}
	s.flush()
	return int64(s.crc)
}

// add adds a value, with its type and length, so that "ab"+"c" differs from "a"+"bc".
func (s *summer) add(v driver.Value) {
	switch v := v.(type) {
	case nil:
		s.buf = append(s.buf, 'n')
	case int64:
		s.number('i', uint64(v))
	case bool:
		n := uint64(0)
		if v {
			n = 1
		}
		s.number('i', n)
	case float64:
		s.number('f', math.Float64bits(v+0)) // SQLite stores -0 as 0
	case string:
		s.number('t', uint64(len(v)))
		s.buf = append(s.buf, v...)
	case []byte:
		s.number('b', uint64(len(v)))
		if len(v) < flushAt {
			s.buf = append(s.buf, v...)
			return
		}
		s.flush()
		s.crc = crc32.Update(s.crc, castagnoli, v)
	}
}

func (s *summer) number(kind byte, n uint64) {
	s.buf = binary.LittleEndian.AppendUint64(append(s.buf, kind), n)
}

func (s *summer) flush() {
	s.crc = crc32.Update(s.crc, castagnoli, s.buf)
	s.buf = s.buf[:0]
}

// sumOf returns the checksum of a row that is written.
func sumOf(values []driver.Value) int64 { return new(summer).sum(values) }
