package postgres

import (
	"context"
	"embed"
	"errors"
	"io/fs"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/soundstage-dev/soundstage/engine"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migrationLock is the key of the advisory lock that a migration holds: "SNDS".
const migrationLock = 0x534e4453

// versionTable is where goose notes which migrations have run.
const versionTable = "soundstage_schema"

// migrator migrates a database: the tables of the rows with goose, and those of River with its own migrations. Each migration is one
// transaction, or builds one index beside the writes of running nodes and begins again after an interruption. So an interrupted run goes on
// where it ended.
type migrator struct {
	pool  *pgxpool.Pool
	goose *goose.Provider
	river *rivermigrate.Migrator[pgx.Tx]
}

func newMigrator(pool *pgxpool.Pool) (*migrator, error) {
	files, err := fs.Sub(migrationFiles, "migrations")
	if err != nil {
		return nil, err
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, stdlib.OpenDBFromPool(pool), files,
		goose.WithTableName(versionTable), goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	if err != nil {
		return nil, err
	}
	r, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	return &migrator{pool, provider, r}, err
}

// latest returns the version of the schema that this program needs.
func (m *migrator) latest() int {
	sources := m.goose.ListSources()
	return int(sources[len(sources)-1].Version)
}

// version returns the version of the schema: 0 for an empty database.
func (m *migrator) version(ctx context.Context) (int, error) {
	var version int
	err := m.pool.QueryRow(ctx, "SELECT coalesce(max(version_id), 0) FROM "+versionTable+" WHERE is_applied").Scan(&version)
	if stateOf(err) == stateNoTable {
		return 0, nil
	}
	return version, err
}

// current reports whether both schemas are those of this program. CodeConflict if the database has a newer one.
func (m *migrator) current(ctx context.Context) (bool, error) {
	version, err := m.version(ctx)
	if err != nil || version < m.latest() {
		return false, err
	}
	if version > m.latest() {
		return false, engine.Errorf(engine.CodeConflict, "", "The database has a newer schema: version %d, but this program supports only up to version %d.", version, m.latest()).
			WithHint("Use the newer version of the program.")
	}
	result, err := m.river.Validate(ctx, nil)
	return err == nil && result.OK, err
}

// migrate runs the migrations that have not run yet, one process at a time.
func (m *migrator) migrate(ctx context.Context) error {
	pool, err := patientPool(ctx, m.pool)
	if err != nil {
		return err
	}
	defer pool.Close()
	if m, err = newMigrator(pool); err != nil {
		return err
	}
	unlock, err := lockMigration(ctx, pool)
	if err != nil {
		return err
	}
	defer unlock()
	if done, err := m.current(ctx); done || err != nil {
		return err
	}
	if err := m.up(ctx); err != nil {
		return migrationError(err)
	}
	_, err = m.river.Migrate(ctx, rivermigrate.DirectionUp, nil)
	return migrationError(err)
}

// up runs the migrations of the rows. A process that was killed leaves a statement that goes on building an index. It and the next run may wait
// for each other until the server ends one of both.
func (m *migrator) up(ctx context.Context) (err error) {
	for range maxAttempts {
		if _, err = m.goose.Up(ctx); stateOf(err) != stateDeadlock {
			return err
		}
		sleep(ctx, time.Second)
	}
	return err
}

// patientPool returns a pool whose statements take as long as they need: an index of a large table takes minutes. A server that can ends them when
// this process is killed.
func patientPool(ctx context.Context, from *pgxpool.Pool) (*pgxpool.Pool, error) {
	config := from.Config()
	config.MaxConns = 4
	config.ConnConfig.RuntimeParams["statement_timeout"] = "0"
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		_, _ = conn.Exec(ctx, "SET client_connection_check_interval = '1s'") // not on every system
		return ctx.Err()
	}
	return pgxpool.NewWithConfig(ctx, config)
}

// lockMigration waits until no other process migrates. It asks again and again, because CREATE INDEX CONCURRENTLY waits for every statement that
// began before it: also for one that waits for the lock, which would be forever.
func lockMigration(ctx context.Context, pool *pgxpool.Pool) (unlock func(), err error) {
	pooled, err := pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	conn := pooled.Hijack()
	unlock = func() { _ = conn.Close(bg) } // it ends the lock
	for {
		locked := false
		if err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", migrationLock).Scan(&locked); err != nil {
			unlock()
			return nil, err
		}
		if locked {
			return unlock, nil
		}
		sleep(ctx, 50*time.Millisecond) // after the end of ctx, the statement fails
	}
}

// migrationError says that the user of the database may not create tables, if that is the reason.
func migrationError(err error) error {
	if stateOf(err) == stateNoPrivilege {
		return engine.Errorf(engine.CodeUnavailable, "", "The database user may not create tables.").
			WithHint("Run `soundstage migrate` as a user who owns the database, or grant it CREATE on the schema.").Because(err)
	}
	return err
}

// Migrate brings a database to the latest schema and returns its version before and after. Programs of the version before go on working. It
// waits for a migration of another process. Its errors are those of Open.
func Migrate(ctx context.Context, url string) (from, to int, err error) {
	return withMigrator(ctx, url, func(m *migrator) (from, to int, err error) {
		if from, err = m.version(ctx); err != nil {
			return 0, 0, err
		}
		if err := m.migrate(ctx); err != nil {
			return from, 0, err
		}
		to, err = m.version(ctx)
		return from, to, err
	})
}

// Version returns the version of a database's schema, 0 for an empty database, and the version that this program needs. Its errors are those
// of Open.
func Version(ctx context.Context, url string) (have, want int, err error) {
	return withMigrator(ctx, url, func(m *migrator) (int, int, error) {
		have, err := m.version(ctx)
		return have, m.latest(), err
	})
}

func withMigrator(ctx context.Context, url string, fn func(*migrator) (int, int, error)) (a, b int, err error) {
	pool, err := connect(ctx, url, OpenOptions{})
	if err != nil {
		return 0, 0, err
	}
	defer pool.Close()
	m, err := newMigrator(pool)
	if err == nil {
		a, b, err = fn(m)
	}
	return a, b, openError(err)
}

var errOldSchema = errors.New("postgres: the schema is not the latest")
