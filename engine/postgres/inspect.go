package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/soundstage-dev/soundstage/engine"
)

// Finding is the result of one check of Inspect.
type Finding struct {
	Name    string // "database", "primary", "schema", or "rights"
	Found   string // a sentence, if Err is nil
	Warning string // what to do, if it works but needs attention
	Err     error
	Took    time.Duration
}

// Inspect checks whether Open could use a database without a migration, and returns the result of each check, also after one that failed. It
// changes nothing.
func Inspect(ctx context.Context, url string) []Finding {
	begun := time.Now()
	pool, err := newPool(ctx, url, OpenOptions{})
	var server server
	if err == nil {
		defer pool.Close()
		if server, err = readServer(ctx, pool); err == nil {
			err = checkSettings(ctx, pool)
		}
	}
	if err != nil {
		return []Finding{{Name: "database", Err: openError(err), Took: time.Since(begun)}}
	}
	all := []Finding{{
		Name: "database", Found: fmt.Sprintf("The server is PostgreSQL %s; 14 or newer is required.", server.release), Took: time.Since(begun),
	}}
	if server.version < oldest {
		all[0].Err = openError(errTooOld(server.version))
	}
	schema, current := inspectSchema(ctx, pool)
	rights := server.rights(current)
	if current {
		if err := inspectTables(ctx, pool, server.user); err != nil {
			rights.Err = openError(err)
		}
	}
	return append(all, server.primary(), schema, rights)
}

// server is what a database server says about itself.
type server struct {
	version   int
	release   string // "16.3"
	standby   bool   // a read-only replica
	readOnly  bool   // by default_transaction_read_only
	user      string
	schema    string // where tables are created, "" for none
	mayCreate bool
}

func readServer(ctx context.Context, pool *pgxpool.Pool) (s server, err error) {
	err = pool.QueryRow(ctx, `SELECT current_setting('server_version_num')::int, split_part(current_setting('server_version'), ' ', 1), pg_is_in_recovery(),
		current_setting('transaction_read_only')::bool, current_user::text, coalesce(current_schema()::text, ''),
		coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)`).
		Scan(&s.version, &s.release, &s.standby, &s.readOnly, &s.user, &s.schema, &s.mayCreate)
	return s, err
}

func (s server) primary() Finding {
	f := Finding{Name: "primary", Found: "The server is the primary, and accepts writes."}
	switch {
	case s.standby:
		f.Err = engine.Errorf(engine.CodeUnavailable, "Inspect", "The server is a read-only replica.").
			WithHint("Use the address of the primary. With several hosts in the address, add target_session_attrs=read-write.")
	case s.readOnly:
		f.Err = engine.Errorf(engine.CodeUnavailable, "Inspect", "The server accepts no writes: default_transaction_read_only is on.").
			WithHint("Turn it off for the server, the database, and the user, or wait until the server's maintenance ends.")
	}
	return f
}

// rights checks the right to create tables, which only migrations need.
func (s server) rights(current bool) Finding {
	f := Finding{Name: "rights", Found: fmt.Sprintf("The user %q may create tables in the schema %q.", s.user, s.schema)}
	if s.mayCreate {
		return f
	}
	f.Found = fmt.Sprintf("The user %q may not create tables, which migrations need.", s.user)
	hint := "Run `soundstage migrate` as a user who owns the database, or grant this one CREATE on the schema."
	if current {
		f.Warning = hint
	} else {
		f.Err = engine.Errorf(engine.CodeUnavailable, "Inspect", "%s", f.Found).WithHint(hint)
	}
	return f
}

// missingRight finds a table or sequence of this program that the user may not use. Only migrations write the tables of versions, and the right
// to write a table includes the sequences of its identity columns.
const missingRight = `SELECT relname::text FROM pg_class
	WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AND relowner = (SELECT relowner FROM pg_class WHERE oid = 'jobs'::regclass)
		AND relname NOT IN ('` + versionTable + `', '` + versionTable + `_id_seq', 'river_migration')
		AND (relkind = 'S' AND NOT has_sequence_privilege(oid, 'USAGE') AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'i') OR relkind IN ('r', 'p') AND NOT (
			has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT') AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE')))
	ORDER BY relname LIMIT 1`

// inspectTables returns an error if the user lacks a right that nodes need. The tables may belong to another user, who migrates.
func inspectTables(ctx context.Context, pool *pgxpool.Pool, user string) error {
	var name string
	err := pool.QueryRow(ctx, missingRight).Scan(&name)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err == nil {
		err = engine.Errorf(engine.CodeUnavailable, "Inspect", "The user %q lacks a right on %q.", user, name).WithHint(grantHint)
	}
	return err
}

// inspectSchema compares the schema with the one of this program, and reports whether they are the same.
func inspectSchema(ctx context.Context, pool *pgxpool.Pool) (Finding, bool) {
	begun := time.Now()
	f := Finding{Name: "schema"}
	m, err := newMigrator(pool)
	var have int
	var current bool
	if err == nil {
		have, err = m.version(ctx)
	}
	if err == nil {
		current, err = m.current(ctx)
	}
	f.Took = time.Since(begun)
	switch {
	case err != nil:
		f.Err = openError(err)
	case current:
		f.Found = fmt.Sprintf("The schema has version %d, as this program.", have)
	case have == 0:
		f.Err = engine.Errorf(engine.CodeConflict, "Inspect", "The database has no schema yet; this program needs version %d.", m.latest()).WithHint("Run `soundstage migrate`.")
	default:
		f.Err = engine.Errorf(engine.CodeConflict, "Inspect", "The schema has version %d, or its queue is older; this program needs version %d.", have, m.latest()).
			WithHint("Run `soundstage migrate`.")
	}
	return f, current
}
