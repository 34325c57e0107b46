package postgres

import (
	"fmt"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/internal/rows"
)

// table is the table of a noun with its statements.
type table[T any] struct {
	rows    *rows.Table[T]
	columns string // columns of a SELECT
	get     string // selects the row with a key
	insert  string // inserts a new row
	put     string // inserts a row, or replaces the one with the same key
}

// newTable returns a table with its statements.
func newTable[T any](of *rows.Table[T]) *table[T] {
	t := &table[T]{rows: of, columns: strings.Join(quoted(of.Names), ", ")}
	t.get = "SELECT " + t.columns + " FROM " + of.Name + " WHERE " + matches(of.Keys)
	t.insert = "INSERT INTO " + of.Name + " (" + t.columns + ") VALUES (" + placeholders(len(of.Names)) + ")"
	var sets []string
	for _, column := range quoted(of.Names)[len(of.Keys):] {
		sets = append(sets, column+" = excluded."+column)
	}
	t.put = t.insert + " ON CONFLICT (" + strings.Join(of.Keys, ", ") + ") DO UPDATE SET " + strings.Join(sets, ", ")
	return t
}

// quoted returns columns as SQL names: "end" is a word of SQL.
func quoted(names []string) []string {
	list := make([]string, len(names))
	for i, name := range names {
		if list[i] = name; name == "end" {
			list[i] = `"end"`
		}
	}
	return list
}

// matches returns the condition that columns have the values $1, $2, ….
func matches(columns []string) string {
	list := make([]string, len(columns))
	for i, column := range columns {
		list[i] = fmt.Sprintf("%s = $%d", column, i+1)
	}
	return strings.Join(list, " AND ")
}

// placeholders returns "$1, $2, …".
func placeholders(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("$%d", i+1)
	}
	return strings.Join(list, ", ")
}

// values returns the arguments of insert and put.
func (t *table[T]) values(v *T) ([]any, error) {
	values, err := t.rows.Values(v)
	args := make([]any, len(values))
	for i, value := range values {
		args[i] = value
	}
	return args, err
}

// qualified returns the columns of a SELECT with a name of the table.
func (t *table[T]) qualified(name string) string {
	return name + "." + strings.ReplaceAll(t.columns, ", ", ", "+name+".")
}
