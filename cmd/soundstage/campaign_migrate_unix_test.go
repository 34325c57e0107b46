//go:build unix

package main

import (
	"fmt"
	"os/exec"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/pgtest"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// A migration that is killed at a random moment leaves a database that the next one completes, also if two start at once.
func TestCampaignMigrate(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts many programs")
	server := pgtest.New(t)
	migrate := func(name string, args ...string) *migration { return startMigration(t, server, name, args...) }
	createDatabase(t, server, "m0")
	began := time.Now()
	require.NoError(t, migrate("m0").wait())
	whole, rng, left := time.Since(began), campaignRandom(9<<32), map[string]int{}
	n := campaignCycles(2)
	for i := range n {
		name := fmt.Sprint("m", i+1)
		createDatabase(t, server, name)
		first := migrate(name)
		<-time.After(time.Duration(rng.Int64N(int64(whole))))
		_ = first.cmd.Process.Kill()
		_ = first.wait()
		left[tables(t, server, name)]++
		a, b := migrate(name), migrate(name)
		require.NoError(t, a.wait(), a.out)
		require.NoError(t, b.wait(), b.out)
		check := migrate(name, "--check")
		require.NoError(t, check.wait(), check.out)
		require.Equal(t, tables(t, server, "m0"), tables(t, server, name))
	}
	t.Logf("%d migrations killed within %v; tables left: %v", n, whole.Round(time.Millisecond), left)
}

func createDatabase(t *testing.T, server *pgtest.Server, name string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), server.URL())
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(t.Context())) }()
	_, err = conn.Exec(t.Context(), "CREATE DATABASE "+name)
	require.NoError(t, err)
}

// tables returns the number of tables of a database.
func tables(t *testing.T, server *pgtest.Server, name string) (n string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), server.DatabaseURL(name))
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(t.Context())) }()
	require.NoError(t, conn.QueryRow(t.Context(), "SELECT count(*)::text FROM pg_tables WHERE schemaname = 'public'").Scan(&n))
	return n
}

// migration is a process of `soundstage migrate`.
type migration struct {
	cmd *exec.Cmd
	out *lockedBuffer
}

func startMigration(t *testing.T, server *pgtest.Server, database string, args ...string) *migration {
	t.Helper()
	m := &migration{cmd: programCommand(append([]string{"migrate", "--database", server.DatabaseURL(database)}, args...)...), out: &lockedBuffer{}}
	m.cmd.Stdout, m.cmd.Stderr = m.out, m.out
	require.NoError(t, m.cmd.Start())
	return m
}

func (m *migration) wait() error { return m.cmd.Wait() }
