package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/postgres"
	"github.com/soundstage-dev/soundstage/internal/pgtest"
)

// A store whose user may not log in any more, as during a change of passwords, works on with the connections that it has. Without any, its
// error is one of an outage, so that no job fails permanently.
func TestNoLogin(t *testing.T) {
	t.Parallel()
	server := pgtest.New(t)
	_, _, err := postgres.Migrate(t.Context(), server.URL())
	require.NoError(t, err)
	execAll(t, server.URL(), "CREATE ROLE node LOGIN", "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO node",
		"GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO node")
	store, err := postgres.Open(t.Context(), as(t, server.URL(), "node"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	read := func(ctx context.Context, wait time.Duration) error {
		return store.View(ctx, func(tx engine.ReadTx) error {
			_, err := tx.Render("none")
			time.Sleep(wait)
			return err
		})
	}
	readAll := func(readers int) {
		results := make(chan error, readers)
		for range readers {
			go func() { results <- read(t.Context(), 20*time.Millisecond) }()
		}
		for range readers {
			require.Equal(t, engine.CodeNotFound, engine.CodeOf(<-results))
		}
	}
	readAll(4) // leaves connections in the pool; notifications keep one of their own
	execAll(t, server.URL(), "ALTER ROLE node NOLOGIN")
	readAll(40) // more than the pool has connections

	execAll(t, server.URL(), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'node'")
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	var e *engine.Error
	err = read(ctx, 0)
	require.True(t, errors.As(err, &e), "%v", err)
	require.Equal(t, engine.CodeUnavailable, e.Code)
	require.True(t, e.Retryable)

	execAll(t, server.URL(), "ALTER ROLE node LOGIN")
	require.Equal(t, engine.CodeNotFound, engine.CodeOf(read(t.Context(), 0)))
}
