package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/postgres"
	"github.com/soundstage-dev/soundstage/internal/pgtest"
)

// before is the version of the schema before the first index that is built beside writes.
const before = 5

// olderSchema returns the URL of a database without the indexes that are built beside writes, and a connection to it.
func olderSchema(t *testing.T) (string, *pgx.Conn) {
	t.Helper()
	url := pgtest.Copy(t, "older", func(url string) error { return postgres.MigrateRows(context.Background(), url, before) })
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close(context.Background())) })
	return url, conn
}

func exec(t testing.TB, conn *pgx.Conn, sql string) {
	t.Helper()
	_, err := conn.Exec(t.Context(), sql)
	require.NoError(t, err, sql)
}

// requireIndexWaits waits until the build of an index waits for a transaction.
func requireIndexWaits(t *testing.T, url string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.Background())) }()
	require.Eventually(t, func() bool {
		var waits bool
		require.NoError(t, conn.QueryRow(t.Context(),
			"SELECT EXISTS (SELECT FROM pg_stat_progress_create_index WHERE phase LIKE 'waiting%' AND datname = current_database())").Scan(&waits))
		return waits
	}, 30*time.Second, 10*time.Millisecond)
}

// requireMigrated fails the test unless all indexes are there and complete.
func requireMigrated(t *testing.T, conn *pgx.Conn) {
	t.Helper()
	var built, broken int
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT count(*) FILTER (WHERE indisvalid), count(*) FILTER (WHERE NOT indisvalid)
		FROM pg_index WHERE indexrelid::regclass::text IN ('recordings_by_status', 'deliveries_by_status', 'jobs_listed')`).Scan(&built, &broken))
	require.Equal(t, []int{3, 0}, []int{built, broken})
}

// Two processes migrate at the same time while a client is in a transaction that writes. Its writes wait for no index, and both processes wait
// for it as long as it takes, whatever the limits of a statement are.
func TestMigrateBesideWrites(t *testing.T) {
	t.Parallel()
	url, conn := olderSchema(t)
	tx, err := conn.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "UPDATE recordings SET title = ''")
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	migrated := make(chan error, 2)
	for range cap(migrated) {
		go func() {
			_, to, err := postgres.Migrate(ctx, url+"&statement_timeout=200&lock_timeout=200")
			if err == nil && to == before {
				err = context.Canceled
			}
			migrated <- err
		}()
	}
	other, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { require.NoError(t, other.Close(context.Background())) }()
	requireIndexWaits(t, url)
	exec(t, other, "SET lock_timeout = '10s'")
	exec(t, other, "UPDATE recordings SET title = ''")
	time.Sleep(300 * time.Millisecond) // longer than the limits
	require.Empty(t, migrated)
	require.NoError(t, tx.Rollback(t.Context()))
	for range cap(migrated) {
		require.NoError(t, <-migrated)
	}
	requireMigrated(t, other)
}

// A migration that was interrupted leaves an index that is not valid. The next run builds it again.
func TestMigrateAfterInterruption(t *testing.T) {
	t.Parallel()
	url, conn := olderSchema(t)
	tx, err := conn.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "UPDATE recordings SET title = ''")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	migrated := make(chan error, 1)
	go func() {
		_, _, err := postgres.Migrate(ctx, url)
		migrated <- err
	}()
	requireIndexWaits(t, url)
	cancel()
	require.Error(t, <-migrated)
	require.NoError(t, tx.Rollback(t.Context()))
	var invalid bool
	require.Eventually(t, func() bool {
		require.NoError(t, conn.QueryRow(t.Context(), "SELECT EXISTS (SELECT FROM pg_index WHERE NOT indisvalid)").Scan(&invalid))
		return invalid
	}, 30*time.Second, 10*time.Millisecond)
	from, to, err := postgres.Migrate(t.Context(), url)
	require.NoError(t, err)
	require.Equal(t, before, from)
	require.Greater(t, to, from)
	requireMigrated(t, conn)
}

// A process that was killed leaves a statement that still builds an index. The next run gets on with it.
func TestMigrateAfterKill(t *testing.T) {
	t.Parallel()
	url, conn := olderSchema(t)
	tx, err := conn.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "UPDATE recordings SET title = ''")
	require.NoError(t, err)
	killed, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, killed.Close(context.Background())) })
	left := make(chan error, 1)
	go func() {
		_, err := killed.Exec(context.Background(), "CREATE INDEX CONCURRENTLY recordings_by_status ON recordings (transcript_status, created_at, id)")
		left <- err
	}()
	migrated := make(chan error, 1)
	go func() {
		_, _, err := postgres.Migrate(t.Context(), url)
		migrated <- err
	}()
	time.Sleep(time.Second)
	require.Empty(t, migrated)
	require.NoError(t, tx.Rollback(t.Context()))
	require.NoError(t, <-migrated)
	<-left // with or without an error
	requireMigrated(t, conn)
}
