package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"github.com/soundstage-dev/soundstage/engine"
)

// OpenOptions configures OpenWith. With the zero value, committed Updates survive a crash of the machine.
type OpenOptions struct {
	// NoSync doesn't wait until writes reach the disk. They survive a crash of the process but not of the machine, which may
	// corrupt the file. Use it for temporary folders.
	NoSync bool
}

// synchronous returns the value of the pragma: 2 (FULL) if each commit waits for the disk, or 0 (OFF).
func (o OpenOptions) synchronous() string {
	if o.NoSync {
		return "0"
	}
	return "2"
}

// setup returns the setup statements of every connection. The busy timeout matters only while another program, such as a
// backup, has the file open.
func (o OpenOptions) setup() string {
	return "PRAGMA busy_timeout = 5000; PRAGMA synchronous = " + o.synchronous() + "; PRAGMA cache_size = -8000" // KiB
}

func (o OpenOptions) readerSetup() string { return o.setup() + "; PRAGMA query_only = 1" }

// writerSetup makes the writer wait for the disk itself and not only for its cache; on macOS they differ.
func (o OpenOptions) writerSetup() string {
	if o.NoSync {
		return o.setup()
	}
	return o.setup() + "; PRAGMA fullfsync = 1; PRAGMA checkpoint_fullfsync = 1"
}

// oldestSQLite is the first version that can't corrupt a file when it resets the log
// (https://www.sqlite.org/releaselog/3_51_3.html).
const oldestSQLite = 3_051_003

// Open opens the database file at path and creates it if it doesn't exist. Its folder must exist. SQLite keeps path-wal and
// path-shm next to it; path.lock is empty.
//
// Open returns CodeConflict if another Store has the file open, in this process or another, or if a newer version wrote the
// file; CodeInvalid if path can't be a database; CodeNoSpace if the disk is full.
func Open(ctx context.Context, path string) (*Store, error) {
	return OpenWith(ctx, path, OpenOptions{})
}

// OpenWith is Open with options.
func OpenWith(ctx context.Context, path string, o OpenOptions) (*Store, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	path, err := realPath(path)
	if err != nil {
		return nil, openError(path, err)
	}
	if name := networkFileSystem(filepath.Dir(path)); name != "" {
		return nil, engine.Errorf(engine.CodeInvalid, "Open", "The database %s is on a network file system (%s).", path, name).
			WithHint("Keep it on a disk of this machine.")
	}
	lock, taken, err := lockFile(path + ".lock")
	if taken {
		return nil, engine.Errorf(engine.CodeConflict, "Open", "The database %s is in use by another process.", path).
			WithHint("Stop the other process, or use another folder.").Because(err)
	}
	if err != nil {
		return nil, openError(path, err)
	}
	s, err := open(path, o, lock)
	if err != nil {
		_ = unlockFile(lock)
		return nil, openError(path, err)
	}
	return s, nil
}

// open opens the locked file and migrates it to the latest schema.
func open(path string, o OpenOptions, lock *os.File) (*Store, error) {
	// SQLite would create a file that every user can read.
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	s := &Store{
		lock:    lock,
		writer:  newPool(1, func() (*conn, error) { return connect(path, o.writerSetup()) }),
		readers: newPool(max(4, runtime.GOMAXPROCS(0)), func() (*conn, error) { return connect(path, o.readerSetup()) }),
		closed:  make(chan struct{}),
	}
	c, err := s.writer.open()
	if err != nil {
		return nil, err
	}
	if err := prepareFile(c, o); err != nil {
		return nil, errors.Join(err, c.close())
	}
	s.writer.push(c)
	return s, nil
}

// prepareFile checks that the file is a Soundstage database and durable, and migrates it.
func prepareFile(c *conn, o OpenOptions) error {
	if err := checkOwner(c); err != nil {
		return err
	}
	mode, err := c.text("PRAGMA journal_mode = WAL")
	if err != nil {
		return err
	}
	if mode != "wal" {
		return engine.Errorf(engine.CodeInvalid, "", "The file system of the database doesn't support a write-ahead log.").
			WithHint("Keep it on a disk of this machine.")
	}
	sync, err := c.text("PRAGMA synchronous")
	if err != nil {
		return err
	}
	version, number := sqliteVersion()
	if sync != o.synchronous() || number < oldestSQLite {
		return fmt.Errorf("unsupported SQLite %s with synchronous = %s", version, sync)
	}
	if err := migrate(c, migrations()); err != nil {
		return err
	}
	return deleteOldJobs(c)
}

// openError converts an error to an *engine.Error about the path.
func openError(path string, err error) error {
	var e *engine.Error
	var denied *fs.PathError
	said, _ := failureOf(err)
	switch {
	case errors.As(err, &e):
		c := *e
		c.Op = "Open"
		return &c
	case said.primary() == codeNotADB:
		return engine.Errorf(engine.CodeInvalid, "Open", "The file %s is not a database.", path).
			WithHint("Use another folder, or move the file away.").Because(err)
	case errors.Is(err, syscall.ENOSPC):
	case errors.Is(err, fs.ErrNotExist):
		return engine.Errorf(engine.CodeInvalid, "Open", "The folder of the database %s does not exist.", path).Because(err)
	case errors.As(err, &denied):
		return engine.Errorf(engine.CodeInvalid, "Open", "The database %s can't be opened.", path).
			WithHint("Check that this user can write to the folder.").Because(err)
	}
	return openError(path, translate(err))
}
