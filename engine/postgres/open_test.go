package postgres_test

import (
	"io"
	"net"
	"runtime"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/postgres"
	"github.com/soundstage-dev/soundstage/internal/pgtest"
)

// pooler listens like PgBouncer in front of a server: it answers a setting of a connection with an error, or ignores all of them.
func pooler(t *testing.T, server *pgtest.Server, ignores bool) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = client.Close() }()
				backend := pgproto3.NewBackend(client, client)
				first, err := backend.ReceiveStartupMessage()
				if err != nil {
					return
				}
				if _, tls := first.(*pgproto3.SSLRequest); tls {
					_, _ = client.Write([]byte("N"))
					first, _ = backend.ReceiveStartupMessage()
				}
				start, ok := first.(*pgproto3.StartupMessage)
				if !ok {
					return
				}
				if !ignores {
					backend.Send(&pgproto3.ErrorResponse{Severity: "FATAL", Code: "08P01", Message: "unsupported startup parameter: jit"})
					_ = backend.Flush()
					return
				}
				start.Parameters = map[string]string{"user": start.Parameters["user"], "database": start.Parameters["database"]}
				pass(client, server, start)
			}()
		}
	}()
	return "postgres://soundstage@" + l.Addr().String() + "/postgres"
}

// pass passes everything after the start of a connection.
func pass(client net.Conn, server *pgtest.Server, start *pgproto3.StartupMessage) {
	to, err := net.Dial("unix", server.Socket())
	if err != nil {
		return
	}
	defer func() { _ = to.Close() }()
	message, err := start.Encode(nil)
	if err == nil {
		_, err = to.Write(message)
	}
	if err != nil {
		return
	}
	go func() { _, _ = io.Copy(to, client); _ = to.Close() }()
	_, _ = io.Copy(client, to)
}

// A connection pooler is refused with a sentence that says so, whether it refuses settings of connections or ignores them.
func TestPooler(t *testing.T) {
	t.Parallel()
	server := pgtest.New(t)
	_, _, err := postgres.Migrate(t.Context(), server.URL())
	require.NoError(t, err)
	for name, ignores := range map[string]bool{"refuses": false, "ignores": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := pooler(t, server, ignores)
			_, _, migrateErr := postgres.Migrate(t.Context(), address)
			_, openErr := postgres.Open(t.Context(), address)
			for _, err := range []error{migrateErr, openErr} {
				require.Equal(t, engine.CodeInvalid, engine.CodeOf(err), "%v", err)
				require.Contains(t, err.Error(), "connection pooler, such as PgBouncer")
			}
			says := inspect(t, address)
			require.Contains(t, says["database"], "invalid: The address is that of a connection pooler")
		})
	}
	store, err := postgres.Open(t.Context(), server.URL()+"&lock_timeout=1s")
	require.NoError(t, err)
	require.NoError(t, store.Close())
}

// The maximum number of connections is that of the options, of the address, or the default. It is never too small.
func TestConnections(t *testing.T) {
	t.Parallel()
	url := database(t)
	byDefault := max(10, 4*runtime.GOMAXPROCS(0))
	for _, c := range []struct {
		address string
		options postgres.OpenOptions
		want    int
	}{
		{url, postgres.OpenOptions{}, byDefault},
		{url, postgres.OpenOptions{Connections: 7}, 7},
		{url, postgres.OpenOptions{Connections: 1}, 4},
		{url + "&pool_max_conns=6", postgres.OpenOptions{}, 6},
		{url + "&pool_max_conns=1", postgres.OpenOptions{}, 4},
		{url + "&pool_max_conns=6", postgres.OpenOptions{Connections: 7}, 7},
	} {
		store, err := postgres.OpenWith(t.Context(), c.address, c.options)
		require.NoError(t, err)
		require.Equal(t, c.want, store.Connections(), "%+v", c)
		require.NoError(t, store.Close())
	}
}
