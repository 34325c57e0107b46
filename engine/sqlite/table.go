package sqlite

import (
	"database/sql/driver"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/internal/rows"
)

// table is the table of a noun with its statements.
type table[T any] struct {
	summed
	rows    *rows.Table[T]
	noun    string // name for NotFound
	columns string // columns of a SELECT, with the checksum
	get     string // selects the row with a key
	insert  string // inserts a new row
	put     string // inserts a row, or replaces the one with the same key
}

// newTable returns a table with its statements.
func newTable[T any](of *rows.Table[T]) *table[T] {
	t := &table[T]{summed: summed{of.Name, of.Names, of.Keys, sumColumn}, rows: of, noun: of.Noun}
	all := append(slices.Clone(of.Names), sumColumn)
	t.columns = strings.Join(all, ", ")
	t.get = "SELECT " + t.columns + " FROM " + t.name + " WHERE " + strings.Join(t.keys, " = ? AND ") + " = ?"
	t.insert = "INSERT INTO " + t.name + " (" + t.columns + ") VALUES (" + strings.Repeat("?, ", len(all)-1) + "?)"
	var sets []string
	for _, column := range all {
		sets = append(sets, column+" = excluded."+column)
	}
	t.put = t.insert + " ON CONFLICT (" + strings.Join(t.keys, ", ") + ") DO UPDATE SET " + strings.Join(sets[len(t.keys):], ", ")
	return t
}

// scan reads the table's columns from a row into v, starting at the next column. It checks the checksum first, so that no damaged
// value is decoded.
func (t *table[T]) scan(r *row, v *T) {
	if !r.checkSum(&t.summed) {
		return
	}
	t.rows.Scan(&r.Row, v)
	r.Next++ // the checksum
}

// values returns the arguments of insert and put.
func (t *table[T]) values(v *T) ([]driver.Value, error) {
	values, err := t.rows.Values(v)
	return append(values, sumOf(values)), err
}
