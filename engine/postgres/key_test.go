package postgres_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// The owner of a key is found although the server has ended all connections, as when it restarts: every request begins with this.
func TestKeyOwnerAfterRestart(t *testing.T) {
	t.Parallel()
	url := database(t)
	s, other := openAt(t, url), openAt(t, url)
	for range 3 {
		require.NoError(t, other.Exec(t.Context(), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"))
		_, _, _, err := s.KeyOwner(t.Context(), [32]byte{})
		require.Equal(t, engine.CodeNotFound, engine.CodeOf(err), "%v", err)
	}
}
