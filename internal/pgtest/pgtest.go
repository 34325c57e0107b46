// Package pgtest runs a PostgreSQL server for tests, in a temporary folder and on a socket in it. A package that uses it needs
//
//	func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }
//
// so that the server ends with the tests. SOUNDSTAGE_TEST_POSTGRES=postgres://… uses a server that runs already. Without the programs of
// PostgreSQL, tests are skipped, or fail if CI=true.
package pgtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// shared is the server that the tests of one process share, started by the first.
var shared struct {
	sync.Mutex
	server    *Server
	err       error
	url       string          // of its first database
	templates map[string]bool // databases to copy
}

var databases atomic.Int64 // created by this process

// Main runs the tests of a package, stops the server that they started, and returns the exit code.
func Main(m *testing.M) int {
	code := m.Run()
	if shared.server != nil {
		shared.server.Remove()
	}
	return code
}

// Database creates an empty database for one test and returns its URL.
func Database(t testing.TB) string {
	t.Helper()
	return create(t, base(t), "")
}

// Copy is Database with the tables that prepare makes. prepare is called once for each name.
func Copy(t testing.TB, name string, prepare func(url string) error) string {
	t.Helper()
	admin := base(t)
	template := fmt.Sprintf("template_%s_%d", name, os.Getpid())
	shared.Lock()
	if !shared.templates[template] {
		require.NoError(t, run(admin, "CREATE DATABASE "+template))
		require.NoError(t, prepare(at(admin, template)))
		if shared.templates == nil {
			shared.templates = map[string]bool{}
		}
		shared.templates[template] = true
	}
	shared.Unlock()
	return create(t, admin, template)
}

// base returns the URL of a database of the shared server.
func base(t testing.TB) string {
	t.Helper()
	if given := os.Getenv("SOUNDSTAGE_TEST_POSTGRES"); given != "" {
		return given
	}
	programs := find(t)
	shared.Lock()
	defer shared.Unlock()
	if shared.server == nil && shared.err == nil {
		if shared.server, shared.err = start(programs); shared.err == nil {
			shared.url = shared.server.URL()
		}
	}
	require.NoError(t, shared.err)
	return shared.url
}

func create(t testing.TB, admin, template string) string {
	t.Helper()
	name := fmt.Sprintf("test_%d_%d", os.Getpid(), databases.Add(1))
	statement := "CREATE DATABASE " + name
	if template != "" {
		statement += " TEMPLATE " + template
	}
	require.NoError(t, run(admin, statement))
	if shared.server == nil { // otherwise the whole server is removed, which is faster
		t.Cleanup(func() { _ = run(admin, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)") })
	}
	return at(admin, name)
}

// at returns the URL of another database of a server.
func at(address, name string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	u.Path = "/" + name
	return u.String()
}

// run runs one statement. It waits for others that copy the same database.
func run(address, statement string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	defer conn.Close(ctx) //nolint:errcheck // the statement has succeeded or not
	for {
		_, err = conn.Exec(ctx, statement)
		if err == nil || !strings.Contains(err.Error(), "being accessed by other users") || ctx.Err() != nil {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
}
