package postgres_test

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/postgres"
	"github.com/soundstage-dev/soundstage/internal/pgtest"
)

// inspect returns what Inspect says of each check: what it found, "warning: " and what to do, or the code of the error and its sentences.
func inspect(t *testing.T, address string) map[string]string {
	t.Helper()
	says := map[string]string{}
	for _, f := range postgres.Inspect(t.Context(), address) {
		says[f.Name] = f.Found
		if f.Warning != "" {
			says[f.Name] = "warning: " + f.Found + " " + f.Warning
		}
		if f.Err != nil {
			var e *engine.Error
			require.ErrorAs(t, f.Err, &e)
			require.NotEmpty(t, e.Hint, f.Name)
			says[f.Name] = string(e.Code) + ": " + e.Msg + " " + e.Hint
		}
	}
	return says
}

// execAll runs SQL as the superuser.
func execAll(t *testing.T, address string, statements ...string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.Background())) }()
	for _, sql := range statements {
		_, err := conn.Exec(t.Context(), sql)
		require.NoError(t, err, sql)
	}
}

// as returns the address for another user.
func as(t *testing.T, address, user string) string {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	u.User = url.User(user)
	return u.String()
}

// Inspect reports each property of a server by itself, and says what to do.
func TestInspect(t *testing.T) {
	t.Parallel()
	server := pgtest.New(t)
	address := server.URL()
	says := inspect(t, address)
	require.Regexp(t, `^The server is PostgreSQL [0-9.]+; 14 or newer is required\.$`, says["database"])
	require.Contains(t, says["primary"], "accepts writes")
	require.Contains(t, says["schema"], "conflict: The database has no schema yet")
	require.Contains(t, says["schema"], "soundstage migrate")
	require.Contains(t, says["rights"], `may create tables in the schema "public"`)

	execAll(t, address, "CREATE ROLE node LOGIN", "REVOKE CREATE ON SCHEMA public FROM PUBLIC")
	require.Contains(t, inspect(t, as(t, address, "node"))["rights"], `unavailable: The user "node" may not create tables`)
	_, _, err := postgres.Migrate(t.Context(), address)
	require.NoError(t, err)
	execAll(t, address, "GRANT SELECT ON ALL TABLES IN SCHEMA public TO node")
	require.Contains(t, inspect(t, as(t, address, "node"))["rights"], `unavailable: The user "node" lacks a right on "accounts". Make it the owner`)
	execAll(t, address, "GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO node")
	require.Contains(t, inspect(t, as(t, address, "node"))["rights"], `unavailable: The user "node" lacks a right on "river_job_id_seq". Make it the owner`)
	execAll(t, address, "GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO node", "REVOKE INSERT, UPDATE, DELETE ON soundstage_schema, river_migration FROM node")
	says = inspect(t, as(t, address, "node"))
	require.Regexp(t, `^The schema has version \d+, as this program\.$`, says["schema"])
	require.True(t, strings.HasPrefix(says["rights"], "warning: "), "only migrations need it: %s", says["rights"])

	execAll(t, address, "ALTER ROLE node SET default_transaction_read_only = on")
	says = inspect(t, as(t, address, "node"))
	require.Contains(t, says["primary"], "unavailable: The server accepts no writes: default_transaction_read_only is on. Turn it off")
	require.Contains(t, says["schema"], "as this program")
	require.Contains(t, inspect(t, address)["primary"], "accepts writes")

	execAll(t, address, "DELETE FROM river_migration WHERE version = (SELECT max(version) FROM river_migration)")
	require.Contains(t, inspect(t, address)["schema"], "conflict:")
	execAll(t, address, "INSERT INTO soundstage_schema (version_id, is_applied) VALUES (9999, true)")
	require.Contains(t, inspect(t, address)["schema"], "newer schema: version 9999")
}

// A standby is not a primary.
func TestInspectStandby(t *testing.T) {
	t.Parallel()
	server := pgtest.New(t)
	_, _, err := postgres.Migrate(t.Context(), server.URL())
	require.NoError(t, err)
	server.Standby(t)
	says := inspect(t, server.URL())
	require.Contains(t, says["database"], "PostgreSQL")
	require.Contains(t, says["primary"], "unavailable: The server is a read-only replica. Use the address of the primary.")
	require.Contains(t, says["schema"], "as this program")
}

// A server that can't be used at all has one line.
func TestInspectUnreachable(t *testing.T) {
	t.Parallel()
	server := pgtest.New(t)
	for address, want := range map[string]string{
		"postgres://u@127.0.0.1:1/d":                          "unavailable: The database can't be reached.",
		"postgres://[":                                        "invalid: The address of the database is not valid.",
		server.DatabaseURL("none"):                            "invalid: There is no such database.",
		strings.Replace(server.URL(), "soundstage@", "x@", 1): "invalid: ",
	} {
		says := inspect(t, address)
		require.Len(t, says, 1, "%v", says)
		require.True(t, strings.HasPrefix(says["database"], want), "%s: %s", address, says["database"])
	}
}
