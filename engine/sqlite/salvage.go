package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// Salvaged is the result of Salvage.
type Salvaged struct {
	Rows int      // rows copied
	Lost []Damage // rows with wrong checksums, and parts of tables that can't be read
}

// Salvage copies every undamaged row of a closed database into a new one at the path to, which must not exist. It omits the search
// index, which depends on damaged rows too: the caller builds it again. It repairs the header and the schema of the damaged file as far
// as they are the same in each database, so from must be a copy that nobody needs.
func Salvage(ctx context.Context, from, to string) (found Salvaged, err error) {
	if from, err = realPath(from); err != nil {
		return found, openError(from, err)
	}
	if err := fixHeader(from); err != nil {
		return found, openError(from, err)
	}
	fresh, err := OpenWith(ctx, to, OpenOptions{})
	if err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, fresh.Close()) }()
	if err := fixSchema(from); err != nil {
		if !isDamage(err) {
			return found, openError(from, err)
		}
		found.lose("", err)
	}
	c, err := connect(from, OpenOptions{NoSync: true}.setup())
	if err != nil {
		if !isDamage(err) {
			return found, openError(from, err)
		}
		found.lose("", err)
		return found, nil
	}
	defer func() { _ = c.close() }()
	c.ctx = ctx
	w, err := fresh.writer.take(ctx, fresh.closed)
	if err != nil {
		return found, err
	}
	defer fresh.writer.put(w)
	if err := w.begin(beginImmediate); err != nil {
		return found, openError(to, err)
	}
	for _, t := range summedTables {
		if t == &postings || t == &documents.summed {
			continue
		}
		if err := found.table(c, w, t); err != nil {
			return found, errors.Join(openError(to, err), w.rollback())
		}
	}
	if err := found.members(c, w); err != nil {
		return found, errors.Join(openError(to, err), w.rollback())
	}
	if err := w.commit(); err != nil {
		return found, openError(to, err)
	}
	return found, nil
}

func (s *Salvaged) lose(table string, err error) {
	var row *damagedError
	damage := Damage{Table: table, Problem: err.Error()}
	if errors.As(err, &row) {
		damage = Damage{row.table, row.key, "the checksum of the row is wrong"}
	}
	if !slices.Contains(s.Lost, damage) {
		s.Lost = append(s.Lost, damage)
	}
}

// table copies a table. If a page is damaged, a scan ends there; the table is then read backwards, and row by row with the keys of its
// index. It returns errors of writing only.
func (s *Salvaged) table(from, to *conn, t *summed) error {
	columns := strings.Join(append(slices.Clone(t.names), t.sum), ", ")
	insert := "INSERT INTO " + t.name + " (" + columns + ") VALUES (" + strings.Repeat("?, ", len(t.names)) + "?) ON CONFLICT DO NOTHING RETURNING 1"
	var writing error
	copyRow := func(r *row) {
		if !r.checkSum(t) {
			s.lose(t.name, r.Err)
			r.Err = nil
			return
		}
		if writing = to.query(func(*row) { s.Rows++ }, insert, slices.Clone(r.Values)...); writing != nil {
			r.Fail(writing)
		}
	}
	read := "SELECT " + columns + " FROM " + t.name
	err := from.query(copyRow, read+" NOT INDEXED")
	if err == nil || writing != nil {
		return writing
	}
	if from.ctx.Err() != nil {
		return context.Cause(from.ctx)
	}
	s.lose(t.name, err)
	order := " ORDER BY rowid DESC"
	if t == &assignments.summed {
		order = " ORDER BY recording_id DESC, label DESC"
	}
	if _ = from.query(copyRow, read+" NOT INDEXED"+order); writing != nil {
		return writing
	}
	for _, key := range keysOf(from, t) {
		missing := false
		err := from.query(copyRow, read+" WHERE "+strings.Join(t.keys, " = ? AND ")+" = ?", key...)
		if writing != nil {
			return writing
		}
		query := "SELECT count(*) FROM " + t.name + " WHERE " + strings.Join(t.keys, " = ? AND ") + " = ?"
		if err2 := to.query(func(r *row) { missing = r.Int() == 0 }, query, key...); err2 != nil {
			return err2
		}
		if missing && err != nil {
			s.lose(t.name, &damagedError{t.name, t.keyOf(key)})
		}
	}
	return nil
}

// keysOf returns the primary keys that the index of a table has, up to the first damaged page.
func keysOf(c *conn, t *summed) (keys [][]driver.Value) {
	list := strings.Join(t.keys, ", ")
	_ = c.query(func(r *row) { keys = append(keys, slices.Clone(r.Values)) }, "SELECT "+list+" FROM "+t.name+" ORDER BY "+list)
	return keys
}

// members copies the members of spaces. They have no checksums, but an index with the same columns: a row must be in both, unless one
// can't be read.
func (s *Salvaged) members(from, to *conn) error {
	read := func(how string) (found []string, err error) {
		err = from.query(func(r *row) { found = append(found, r.Text()+"\x00"+r.Text()) }, "SELECT user_id, space_id FROM members "+how)
		return found, err
	}
	rows, err := read("NOT INDEXED")
	indexed, err2 := read("INDEXED BY members_by_space")
	switch {
	case err != nil && err2 != nil:
		s.lose("members", err)
	case err != nil:
		rows = indexed
	case err2 == nil:
		if mixed := slices.DeleteFunc(slices.Clone(rows), func(m string) bool { return slices.Contains(indexed, m) }); len(mixed) > 0 {
			s.lose("members", fmt.Errorf("%d rows differ from their index", len(mixed)))
		}
		rows = slices.DeleteFunc(rows, func(m string) bool { return !slices.Contains(indexed, m) })
	}
	for _, m := range rows {
		user, space, _ := strings.Cut(m, "\x00")
		if err := to.exec("INSERT INTO members (user_id, space_id) VALUES (?, ?) ON CONFLICT DO NOTHING", user, space); err != nil {
			return err
		}
		s.Rows++
	}
	return nil
}

// Contents are the rows that a repair looks at.
type Contents struct {
	Spaces      []engine.Space
	Uploads     []engine.Upload
	Recordings  []engine.Recording
	Transcripts []engine.Transcript
	Renders     []engine.Render
	Outputs     []engine.Output
	Imports     []engine.Import
	Chats       []engine.Chat
	Deliveries  []engine.Delivery
	LiveJobs    map[string]bool // by what they are for: the id of a row
}

// Contents returns all rows at once, so it needs as much memory as the database is large.
func (s *Store) Contents(ctx context.Context) (c Contents, err error) {
	err = s.view(ctx, func(t *readTx) error {
		c.Spaces = rowsOf(t, spaces)
		c.Uploads, c.Recordings, c.Transcripts = rowsOf(t, uploads), rowsOf(t, recordings), rowsOf(t, transcripts)
		c.Renders, c.Outputs, c.Imports = rowsOf(t, renders), rowsOf(t, outputs), rowsOf(t, imports)
		c.Chats, c.Deliveries, c.LiveJobs = rowsOf(t, chats), rowsOf(t, deliveries), map[string]bool{}
		return t.query(func(r *row) { c.LiveJobs[r.Text()] = true }, "SELECT ref FROM jobs WHERE "+live)
	})
	return c, err
}

// rowsOf returns all rows of a table. An error stays in the transaction.
func rowsOf[T any](t *readTx, tab *table[T]) []T {
	list, _ := all(t, tab, "SELECT "+tab.columns+" FROM "+tab.name)
	return list
}
