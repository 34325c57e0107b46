package postgres_test

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/postgres"
	"github.com/soundstage-dev/soundstage/internal/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// Store passes the conformance suite.
func TestStore(t *testing.T) {
	t.Parallel()
	enginetest.TestStore(t, func(t *testing.T) engine.Store { return open(t) })
}

// database returns the URL of a database with the latest schema.
func database(t testing.TB) string {
	t.Helper()
	return pgtest.Copy(t, "latest", func(url string) error {
		_, _, err := postgres.Migrate(context.Background(), url)
		return err
	})
}

// open opens a store in a new database.
func open(t testing.TB) *postgres.Store {
	t.Helper()
	return openAt(t, database(t))
}

func openAt(t testing.TB, url string) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// Two stores on one database pass the cases that only several processes can show.
func TestSharedStore(t *testing.T) {
	t.Parallel()
	enginetest.TestSharedStore(t, func(t *testing.T) (one, other engine.Store) {
		url := database(t)
		a, b := openAt(t, url), openAt(t, url)
		t.Cleanup(func() {
			c, l := a.Stats()
			d, m := b.Stats()
			t.Logf("%d transactions ran again, %d connections were lost", c+d, l+m)
		})
		return a, b
	})
}
