package postgres_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// The owner of a key is found although the server has ended all connections, as when it restarts: every request begins with this.
func TestKeyOwnerAfterRestart(t *testing.T) {
	t.Parallel()
	url := database(t)
	s := openAt(t, url)
	other, err := pgx.Connect(t.Context(), url) // a connection, and no pool, which might use one that it has ended itself
	require.NoError(t, err)
	defer func() { require.NoError(t, other.Close(context.Background())) }()
	for range 3 {
		_, err := other.Exec(t.Context(), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
		require.NoError(t, err)
		_, _, _, err = s.KeyOwner(t.Context(), [32]byte{})
		require.Equal(t, engine.CodeNotFound, engine.CodeOf(err), "%v", err)
	}
}
