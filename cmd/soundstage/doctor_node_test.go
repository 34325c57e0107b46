package main

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/pgtest"
	"github.com/soundstage-dev/soundstage/internal/s3test"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// Doctor has a line for each thing that nodes need of PostgreSQL and S3. A line that failed says what to do.
func TestDoctorOfCluster(t *testing.T) { //nolint:paralleltest // it sets environment variables
	slow.Skip(t, "it starts PostgreSQL and an S3 server")
	bucket, server := s3test.New(t), pgtest.New(t)
	t.Setenv("AWS_ACCESS_KEY_ID", bucket.AccessKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", bucket.SecretKey)
	run := func(wantCode int, objects string) map[string]finding {
		t.Helper()
		code, d, checks := runDoctor(t, "--no-probe", "--database", server.URL(), "--objects", objects)
		require.Equal(t, wantCode, code, "%+v", d)
		for _, f := range d.Checks {
			require.True(t, f.Status != statusFailed || len(f.Hints) > 0, "%+v", f)
			require.NotContains(t, f.Found+strings.Join(f.Hints, ""), bucket.SecretKey)
		}
		return checks
	}
	of3 := []string{"s3-list", "s3-write", "s3-once", "s3-copy", "s3-delete", "s3-clock", "storage", "addresses"}

	checks := run(4, bucket.Address(""))
	require.Equal(t, statusFailed, checks["schema"].Status, "nothing is migrated")
	require.Contains(t, checks["schema"].Hints[0], "soundstage migrate")
	require.Equal(t, statusOK, checks["rights"].Status)
	require.NotContains(t, checks, "write", "it needs the schema")

	code, _, errOut := cli(t, "migrate", "--database", server.URL())
	require.Zero(t, code, errOut)
	checks = run(0, bucket.Address(""))
	for _, name := range append([]string{"database", "primary", "schema", "rights", "clock", "write"}, of3...) {
		require.Equal(t, statusOK, checks[name].Status, "%s: %+v", name, checks[name])
	}
	require.Contains(t, checks["database"].Found, "14 or newer is required")
	require.Empty(t, bucket.Keys(t))

	conn, err := pgx.Connect(t.Context(), server.URL())
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), "ALTER SYSTEM SET default_transaction_read_only = on")
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), "SELECT pg_reload_conf()")
	require.NoError(t, err)
	require.NoError(t, conn.Close(context.Background()))
	gone := bucket
	gone.Name = "no-such-bucket"
	checks = run(5, gone.Address(""))
	require.Contains(t, checks["primary"].Found, "accepts no writes")
	require.Equal(t, statusOK, checks["schema"].Status)
	require.Contains(t, checks["s3-list"].Found, "There is no bucket")
	require.NotContains(t, checks, "storage")

	server.Standby(t)
	checks = run(5, bucket.Address(""))
	require.Contains(t, checks["primary"].Found, "read-only replica")
	require.Contains(t, checks["primary"].Hints[0], "address of the primary")
}
