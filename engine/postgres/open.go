package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"runtime"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"github.com/soundstage-dev/soundstage/engine"
)

// OpenOptions change how a database is opened. The zero value is what Open uses.
type OpenOptions struct {
	// Connections is the maximum number of connections of this process, at least 4. The default is pool_max_conns of the address, or else
	// 10, or four times the number of CPUs if that is more. River and notifications use up to three of them.
	Connections int
	// NoMigrate refuses a database that doesn't have the latest schema, instead of migrating it.
	NoMigrate bool
}

// oldest is the first version of PostgreSQL that this package supports.
const oldest = 140000

// Settings of every connection. They end what a process left that froze or can't be reached: an open transaction after 20 seconds, so that
// its locks don't outlive the lease of a job. A statement that waits for a lock gives up after 5 seconds, and its transaction runs again.
// The just-in-time compiler is off, because every statement is short: to compile a page of a list took 50 ms and more, to run it 1 ms.
var settings = map[string]string{
	"application_name": "soundstage", "statement_timeout": "20s", "lock_timeout": "5s", "idle_in_transaction_session_timeout": "20s",
	"tcp_user_timeout": "20s", "tcp_keepalives_idle": "10", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "3",
	"client_encoding": "UTF8", "jit": "off", "default_transaction_isolation": "read committed",
}

// Open opens a database by its URL, "postgres://USER@HOST:PORT/DATABASE?sslmode=verify-full", or by libpq's key-value form, and migrates it
// to the latest schema. PGPASSWORD, ~/.pgpass, and the other settings of libpq apply.
//
// Open returns CodeInvalid for a wrong address, user, or password, and if there is no such database; CodeConflict if a newer version
// migrated the database; CodeUnavailable if the server can't be reached, is older than PostgreSQL 14, is a read-only replica, or if the user
// may not create tables.
func Open(ctx context.Context, url string) (*Store, error) {
	return OpenWith(ctx, url, OpenOptions{})
}

// OpenWith is Open with options.
func OpenWith(ctx context.Context, url string, o OpenOptions) (*Store, error) {
	pool, err := connect(ctx, url, o)
	if err != nil {
		return nil, err
	}
	s, err := open(ctx, pool, o)
	if err != nil {
		pool.Close()
		return nil, openError(err)
	}
	return s, nil
}

// open checks and migrates the database, and starts the background tasks.
func open(ctx context.Context, pool *pgxpool.Pool, o OpenOptions) (*Store, error) {
	m, err := newMigrator(pool)
	if err != nil {
		return nil, err
	}
	done, err := m.current(ctx)
	switch {
	case err != nil:
		return nil, err
	case !done && o.NoMigrate:
		return nil, engine.Errorf(engine.CodeConflict, "", "The database doesn't have the latest schema.").WithHint("Run `soundstage migrate`.").Because(errOldSchema)
	case !done:
		if err := m.migrate(ctx); err != nil {
			return nil, err
		}
	}
	s := &Store{pool: pool, notes: newNotes(pool)}
	if err := s.readClock(ctx); err != nil {
		return nil, err
	}
	s.inserts, err = river.NewClient(riverpgxv5.New(pool), &river.Config{
		Logger:        slog.New(slog.DiscardHandler),
		FetchCooldown: river.FetchCooldownMin, // it notifies of no second job in this time
		Hooks:         []rivertype.Hook{river.HookInsertBeginFunc(fetchable)},
		Test:          river.TestConfig{Time: insertTime{s.Clock()}},
	})
	if err != nil {
		return nil, err
	}
	background, cancel := context.WithCancel(context.Background())
	s.closing = cancel
	for _, task := range []func(context.Context){s.notes.send, s.notes.listen, s.keepClock, s.keepTidy, s.keepCommits} {
		s.tasks.Go(func() { task(background) })
	}
	return s, nil
}

// connect connects to a server and checks it.
func connect(ctx context.Context, url string, o OpenOptions) (*pgxpool.Pool, error) {
	pool, err := newPool(ctx, url, o)
	if err != nil {
		return nil, err
	}
	if err := checkServer(ctx, pool); err != nil {
		pool.Close()
		return nil, openError(err)
	}
	return pool, nil
}

// newPool returns a pool, which connects when it is used.
func newPool(ctx context.Context, url string, o OpenOptions) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, engine.Errorf(engine.CodeInvalid, "Open", "The address of the database is not valid.").
			WithHint("It looks like postgres://USER@HOST:PORT/DATABASE. Characters such as @ and / in a name are written as %40 and %2F.") // the cause may hold the password
	}
	for name, value := range settings {
		if _, set := config.ConnConfig.RuntimeParams[name]; !set {
			config.ConnConfig.RuntimeParams[name] = value
		}
	}
	switch {
	case o.Connections > 0:
		config.MaxConns = int32(o.Connections)
	case !setsConnections(url):
		config.MaxConns = int32(max(10, 4*runtime.GOMAXPROCS(0)))
	}
	config.MaxConns = max(minConnections, config.MaxConns)
	config.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return false } // a transaction begins again on another one
	config.MaxConnLifetime, config.MaxConnLifetimeJitter = time.Hour, 10*time.Minute
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = 5 * time.Second
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	return pool, openError(err)
}

// minConnections is one more than River and notifications use.
const minConnections = 4

// setsConnections reports whether an address has the parameter pool_max_conns.
func setsConnections(url string) bool {
	config, err := pgx.ParseConfig(url)
	return err == nil && config.RuntimeParams["pool_max_conns"] != ""
}

// checkServer checks the version, and that the server accepts writes.
func checkServer(ctx context.Context, pool *pgxpool.Pool) error {
	var version int
	var readOnly bool
	err := pool.QueryRow(ctx, "SELECT current_setting('server_version_num')::int, pg_is_in_recovery() OR current_setting('transaction_read_only')::bool").Scan(&version, &readOnly)
	switch {
	case err != nil:
		return err
	case version < oldest:
		return errTooOld(version)
	case readOnly:
		return errReadOnly()
	}
	return checkSettings(ctx, pool)
}

// checkSettings returns an error if connections don't have the settings that this package asks for. A pooler can be configured to ignore them.
func checkSettings(ctx context.Context, pool *pgxpool.Pool) error {
	const name = "lock_timeout"
	if pool.Config().ConnConfig.RuntimeParams[name] != settings[name] {
		return nil // the address has its own
	}
	var have string
	err := pool.QueryRow(ctx, "SELECT current_setting($1)", name).Scan(&have)
	if err == nil && have != settings[name] {
		err = errPooler(fmt.Errorf("%s is %s, but %s was set", name, have, settings[name]))
	}
	return err
}

// isPooler reports whether an error is that of a connection pooler: it refuses settings, or gives each transaction another connection, which
// knows other prepared statements.
func isPooler(err error) bool {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return false
	}
	return e.Code == stateProtocol && strings.Contains(e.Message, "unsupported startup parameter") || e.Code == stateSameStatement || e.Code == stateNoStatement
}

func errPooler(cause error) error {
	return engine.Errorf(engine.CodeInvalid, "", "The address is that of a connection pooler, such as PgBouncer.").
		WithHint("Use the address of PostgreSQL itself: nodes pool their connections, and need notifications, locks, and settings of a connection.").Because(cause)
}

func errTooOld(version int) error {
	return engine.Errorf(engine.CodeUnavailable, "", "The database server is PostgreSQL %d, which is too old.", version/10000).
		WithHint("Use PostgreSQL 14 or newer.")
}

// openError converts an error to an *engine.Error of Open.
func openError(err error) error {
	if err == nil {
		return nil
	}
	var known *engine.Error
	if errors.As(err, &known) {
		c := *known
		c.Op = "Open"
		return &c
	}
	var dns *net.DNSError
	switch state := stateOf(err); {
	case state == stateWrongPassword || state == stateNoAuth:
		return engine.Errorf(engine.CodeInvalid, "Open", "The database refuses the user or its password.").
			WithHint("Check both. The password can be in PGPASSWORD, in ~/.pgpass, or in the file of --database-file.").Because(reason(err))
	case state == stateNoDatabase:
		return engine.Errorf(engine.CodeInvalid, "Open", "There is no such database.").WithHint("Create it: createdb NAME.").Because(reason(err))
	case isPooler(err):
		return openError(errPooler(reason(err)))
	case errors.As(err, &dns):
		return engine.Errorf(engine.CodeInvalid, "Open", "The host of the database, %s, has no address.", dns.Name).
			WithHint("Check the name in the address of the database.").Because(reason(err))
	case isLost(err):
		return engine.Errorf(engine.CodeUnavailable, "Open", "The database can't be reached.").
			WithHint("Check that it runs, and the host and port in its address.").Because(reason(err)).Transient()
	}
	return openError(translate(err))
}

// reason returns what PostgreSQL or the network said, without the address that was tried.
func reason(err error) error {
	var server *pgconn.PgError
	if errors.As(err, &server) {
		return server
	}
	var network *net.OpError
	if errors.As(err, &network) {
		return network
	}
	text := err.Error()
	if i := strings.LastIndex(text, ": "); i >= 0 {
		text = text[i+2:]
	}
	return errors.New(text)
}

// keepTidy deletes what is not needed any more, after ten minutes and then once an hour, until ctx is done.
func (s *Store) keepTidy(ctx context.Context) {
	for sleep(ctx, 10*time.Minute); ctx.Err() == nil; sleep(ctx, time.Hour) {
		s.tidy(ctx)
	}
}

// tidy deletes what is not needed any more. What it can't delete now, a later call deletes.
func (s *Store) tidy(ctx context.Context) {
	now := s.Clock().Now()
	for deleted := int64(oldJobsBatch); deleted == oldJobsBatch; {
		done, _ := s.pool.Exec(ctx, deleteOldJobs, now.Add(-keepJobs).UnixMicro(), oldJobsBatch)
		deleted = done.RowsAffected() // 0 after an error
	}
	_, _ = s.pool.Exec(ctx, "DELETE FROM request_counts WHERE window_end < $1", now.Add(-time.Hour).UnixMicro())
	_, _ = s.pool.Exec(ctx, "DELETE FROM job_traces WHERE NOT EXISTS (SELECT FROM jobs WHERE id = job_id)")
}

// keepCommits deletes tokens of commits that nobody asks about any more, until ctx is done.
func (s *Store) keepCommits(ctx context.Context) {
	for ctx.Err() == nil {
		_, _ = s.pool.Exec(ctx, "DELETE FROM commits WHERE noted_at < now() - interval '5 minutes'")
		sleep(ctx, 5*time.Minute)
	}
}
