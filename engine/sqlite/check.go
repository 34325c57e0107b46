package sqlite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/soundstage-dev/soundstage/engine"
)

// Damage is one damaged part of a database.
type Damage struct {
	Table   string `json:"table,omitempty"` // "" if the problem isn't in one row
	Key     string `json:"key,omitempty"`   // primary key of the row
	Problem string `json:"problem"`
}

// maxProblems is how many problems SQLite reports of the structure of a file.
const maxProblems = 100

// check looks for damage in a whole database: pages and indexes, the schema, and the checksum of each row. It returns the first
// damage, or an error of the context.
func check(c *conn) error {
	if err := checkPages(c, ""); err != nil {
		return err
	}
	return checkRows(c)
}

// checkPages checks the structure of a table, or of the whole file for "": its pages, and that each row is in each index once.
func checkPages(c *conn, table string) error {
	var problems []string
	query := fmt.Sprintf("PRAGMA integrity_check(%d)", maxProblems)
	if table != "" {
		query = fmt.Sprintf("PRAGMA integrity_check(%s)", table)
	}
	if err := c.query(func(r *row) { problems = append(problems, r.Text()) }, query); err != nil {
		return err
	}
	if slices.Equal(problems, []string{"ok"}) {
		return nil
	}
	return &structureError{problems}
}

// checkRows checks the schema, and the checksum of each row.
func checkRows(c *conn) error {
	if err := checkSchema(c); err != nil {
		return err
	}
	for _, t := range summedTables {
		if err := t.check(c, func(err error) error { return err }); err != nil {
			return err
		}
	}
	return nil
}

// check reads every row, and calls found for each with a wrong checksum. It ends if found returns an error.
func (t *summed) check(c *conn, found func(error) error) error {
	all := append(slices.Clone(t.names), t.sum)
	return c.query(func(r *row) {
		if !r.checkSum(t) {
			r.Err = found(r.Err)
		}
	}, "SELECT "+strings.Join(all, ", ")+" FROM "+t.name)
}

// schemaQuery reads the schema without SQLite's own tables.
const schemaQuery = "SELECT type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\' ORDER BY name"

// checkSchema compares the schema with that of a new database. A flipped bit in it may be valid SQL.
func checkSchema(c *conn) error {
	want, err := newSchema()
	if err != nil {
		return err
	}
	got, err := readSchema(c)
	if err != nil {
		return err
	}
	for i := range max(len(want), len(got)) {
		if i >= len(want) || i >= len(got) || want[i] != got[i] {
			return &structureError{[]string{"the schema is not the one that this program writes"}}
		}
	}
	return nil
}

// newSchema returns the schema of a new database.
var newSchema = sync.OnceValues(func() (entries []string, err error) {
	err = withNew(func(c *conn) error {
		entries, err = readSchema(c)
		return err
	})
	return entries, err
})

// withNew calls fn with a new database in memory.
func withNew(fn func(*conn) error) error {
	db, err := openDriver("file::memory:?mode=memory")
	if err != nil {
		return err
	}
	c := &conn{db: db.(driverConn), stmts: map[string]driverStmt{}, ctx: context.Background()}
	err = migrate(c, migrations(), seal)
	if err == nil {
		err = fn(c)
	}
	return errors.Join(err, c.close())
}

// readSchema returns the schema's entries without white space.
func readSchema(c *conn) (entries []string, err error) {
	err = c.query(func(r *row) { entries = append(entries, strings.Join(strings.Fields(r.Text()), "")) }, schemaQuery)
	return entries, err
}

// structureError says what is wrong with the structure of a file.
type structureError struct{ problems []string }

func (e *structureError) Error() string {
	return fmt.Sprintf("%s (%d problems)", e.problems[0], len(e.problems))
}

// damaged returns the error of Open for a damaged file.
func damaged(path string, err error) error {
	return engine.Errorf(engine.CodeUnavailable, "Open", "The database %s is damaged.", path).WithHint(damageHint).Because(err)
}
