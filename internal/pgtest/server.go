package pgtest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/executable"
)

// Server is a PostgreSQL server of its own, for tests that stop it.
type Server struct {
	programs string // folder
	dir      string
	port     int
	env      []string // for the server's process, besides the test's own
}

// New starts a server that ends with the test. Its data survives Stop and Crash.
func New(t testing.TB) *Server {
	t.Helper()
	s, err := start(find(t))
	require.NoError(t, err)
	t.Cleanup(s.Remove)
	return s
}

// Start starts a server for a program that is no test. Remove ends it.
func Start() (*Server, error) {
	folder := programs()
	if folder == "" {
		return nil, errors.New(missing)
	}
	return start(folder)
}

const missing = "PostgreSQL is not installed: run .ci/setup test"

// find returns the folder with the programs of the newest PostgreSQL.
func find(t testing.TB) string {
	t.Helper()
	folder := programs()
	if folder == "" && os.Getenv("CI") == "true" {
		require.FailNow(t, missing)
	}
	if folder == "" {
		t.Skip(missing)
	}
	return folder
}

// programs is find without a test. It returns "" if there is no PostgreSQL.
func programs() string {
	folders, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	if path, err := exec.LookPath("initdb"); err == nil {
		folders = append(folders, filepath.Dir(path))
	}
	slices.Reverse(folders)
	for _, folder := range folders {
		if _, err := os.Stat(filepath.Join(folder, "initdb")); err == nil {
			return folder
		}
	}
	return ""
}

// start creates the files of a server and starts it. Nothing waits for the disk: a test kills processes, not the machine.
func start(programs string) (*Server, error) {
	dir, err := os.MkdirTemp("", "pg")
	if err != nil {
		return nil, err
	}
	s := &Server{programs: programs, dir: dir, port: 5432}
	if err := own(dir); err != nil {
		return nil, err
	}
	if err := s.initialise(); err != nil {
		return nil, err
	}
	settings := fmt.Sprintf("listen_addresses = ''\nunix_socket_directories = '%s'\nport = %d\nfsync = off\nmax_connections = 300\nshared_buffers = 64MB\nmax_wal_size = 256MB\nlog_min_messages = fatal\n", dir, s.port)
	if err := os.WriteFile(filepath.Join(s.data(), "postgresql.auto.conf"), []byte(settings), 0o600); err != nil {
		return nil, err
	}
	if err := own(filepath.Join(s.data(), "postgresql.auto.conf")); err != nil {
		return nil, err
	}
	return s, s.start()
}

// initialise makes the files of an empty server. The first on a machine keeps a copy, because initdb takes ten times as long as copying.
func (s *Server) initialise() error {
	kept, err := s.kept()
	if err == nil && exec.Command("cp", "-Rp", kept, s.data()).Run() == nil {
		return nil
	}
	_ = os.RemoveAll(s.data()) // part of a copy
	if err := s.run("initdb", "-D", s.data(), "-U", "soundstage", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"); err != nil || kept == "" {
		return err
	}
	if parent, err := os.MkdirTemp(filepath.Dir(kept), "new"); err == nil {
		fresh := filepath.Join(parent, "data")
		if exec.Command("cp", "-Rp", s.data(), fresh).Run() == nil {
			_ = os.Rename(fresh, kept) // unless another process was faster
		}
		_ = os.RemoveAll(parent)
	}
	return nil
}

// kept returns the folder with the copy of an empty server's files, in this user's cache: one for each installation of initdb.
func (s *Server) kept() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	program, err := os.Stat(filepath.Join(s.programs, "initdb"))
	if err != nil {
		return "", err
	}
	folder := filepath.Join(cache, "soundstage-pgtest")
	name := fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, s.programs, program.Size(), program.ModTime().UnixNano())))[:16]
	return filepath.Join(folder, name), os.MkdirAll(folder, 0o700)
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// Folder returns the folder with all files of the server.
func (s *Server) Folder() string { return s.dir }

// Socket returns the path of the server's socket, for a proxy.
func (s *Server) Socket() string { return filepath.Join(s.dir, fmt.Sprintf(".s.PGSQL.%d", s.port)) }

// URL returns the URL of the database postgres.
func (s *Server) URL() string {
	return (&url.URL{Scheme: "postgres", User: url.User("soundstage"), Path: "/postgres", RawQuery: url.Values{"host": {s.dir}, "port": {fmt.Sprint(s.port)}}.Encode()}).String()
}

// DatabaseURL returns the URL of another database.
func (s *Server) DatabaseURL(name string) string { return at(s.URL(), name) }

// Set changes a setting, which applies after the next start.
func (s *Server) Set(t testing.TB, name, value string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(s.data(), "postgresql.auto.conf"), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = fmt.Fprintf(f, "%s = '%s'\n", name, value)
	require.NoError(t, err)
	require.NoError(t, f.Close())
}

// Listen restarts the server so that it also listens on 127.0.0.1, for proxies, and returns the address.
func (s *Server) Listen(t testing.TB) string {
	t.Helper()
	port := executable.Port(t)
	s.Stop(t)
	var err error
	s.port, err = strconv.Atoi(port)
	require.NoError(t, err)
	s.Set(t, "port", port)
	s.Set(t, "listen_addresses", "127.0.0.1")
	s.Start(t)
	return net.JoinHostPort("127.0.0.1", port)
}

// SetEnv adds variables to the environment of the server's process, from the next start on.
func (s *Server) SetEnv(variables ...string) { s.env = append(s.env, variables...) }

// Start starts a server that was stopped.
func (s *Server) Start(t testing.TB) { t.Helper(); require.NoError(t, s.start()) }

// Stop stops the server: it ends all connections, and writes everything to the disk.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	require.NoError(t, s.run("pg_ctl", "-D", s.data(), "-m", "fast", "-w", "stop"))
}

// Standby restarts the server as a read-only standby that waits for a primary.
func (s *Server) Standby(t testing.TB) {
	t.Helper()
	s.Stop(t)
	file := filepath.Join(s.data(), "standby.signal")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.NoError(t, own(file))
	s.Start(t)
}

// Crash stops the server at once, so that the next start recovers from the log.
func (s *Server) Crash(t testing.TB) {
	t.Helper()
	require.NoError(t, s.run("pg_ctl", "-D", s.data(), "-m", "immediate", "-w", "stop"))
}

func (s *Server) start() error {
	return s.run("pg_ctl", "-D", s.data(), "-l", filepath.Join(s.dir, "log"), "-w", "-t", "60", "start")
}

// Remove stops the server and removes its files.
func (s *Server) Remove() {
	_ = s.run("pg_ctl", "-D", s.data(), "-m", "immediate", "-w", "stop")
	_ = os.RemoveAll(s.dir)
}

// run runs a program of PostgreSQL. Those of a server refuse to run as root.
func (s *Server) run(name string, args ...string) error {
	cmd := exec.Command(filepath.Join(s.programs, name), args...)
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), s.env...)
	demote(cmd)
	var out strings.Builder
	if name == "initdb" {
		cmd.Stdout, cmd.Stderr = &out, &out
	} // a server keeps the descriptors of pg_ctl, and Run would wait for them
	if err := cmd.Run(); err != nil {
		log, _ := os.ReadFile(filepath.Join(s.dir, "log"))
		return fmt.Errorf("%s: %w\n%s%s", name, err, out.String(), log)
	}
	return nil
}
