package sqlite

import (
	"database/sql/driver"
	"fmt"
	"strings"
)

// summed describes a table whose rows have checksums.
type summed struct {
	name  string
	names []string // columns that the checksum covers; those of the primary key come first
	keys  []string // columns of the primary key
	sum   string   // column of the checksum
}

// summedTables are all tables except members and chat_recordings, whose columns are also in an index: a check compares them.
var summedTables = []*summed{
	&accounts.summed, &users.summed, &keys.summed, &spaces.summed, &uploads.summed, &recordings.summed, &transcripts.summed,
	&speakers.summed, &roles.summed, &assignments.summed, &jobs.summed, &renders.summed, &prompts.summed, &outputs.summed,
	&chats.summed, &suggestions.summed, &imports.summed, &translations.summed, &documents.summed, &postings, &webhooks.summed,
	&deliveries.summed, &deletions.summed, &edits.summed, &events.summed,
}

// damage returns the error for a row with a wrong checksum, given the columns that it covers.
func (t *summed) damage(values []driver.Value) error {
	return &damagedError{table: t.name, key: t.keyOf(values)}
}

// keyOf returns the primary key as text.
func (t *summed) keyOf(values []driver.Value) string {
	parts := make([]string, len(t.keys))
	for i := range parts {
		parts[i] = fmt.Sprint(values[i])
	}
	return strings.Join(parts, " ")
}

// seal writes the checksums of rows that have none. A migration that changes rows sets their checksums to NULL; seal then runs in the
// transaction of the last migration.
func seal(c *conn) error {
	for _, t := range summedTables {
		if err := t.seal(c); err != nil {
			return fmt.Errorf("table %s: %w", t.name, err)
		}
	}
	return nil
}

func (t *summed) seal(c *conn) error {
	var s summer
	var rows [][]driver.Value // the checksum, then the primary key
	read := "SELECT " + strings.Join(t.names, ", ") + " FROM " + t.name + " WHERE " + t.sum + " IS NULL"
	err := c.query(func(r *row) {
		rows = append(rows, append([]driver.Value{s.sum(r.Values)}, r.Values[:len(t.keys)]...))
	}, read)
	write := "UPDATE " + t.name + " SET " + t.sum + " = ? WHERE " + strings.Join(t.keys, " = ? AND ") + " = ?"
	for _, row := range rows {
		if err == nil {
			err = c.exec(write, row...)
		}
	}
	return err
}

// damagedError says which row has a wrong checksum.
type damagedError struct{ table, key string }

func (e *damagedError) Error() string {
	return fmt.Sprintf("the row %s of the table %s is damaged: its checksum is wrong", e.key, e.table)
}
