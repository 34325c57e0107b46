package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fault"
)

// OpenOptions configures OpenWith. With the zero value, committed Updates survive a crash of the machine.
type OpenOptions struct {
	// NoSync doesn't wait until writes reach the disk. They survive a crash of the process but not of the machine, which may
	// corrupt the file. Use it for temporary folders.
	NoSync bool
	// CheckInOpen is the largest size in bytes of a file that Open checks for damage before it returns; default 8 MiB. A larger
	// file is checked in the background, and Health has the result.
	CheckInOpen int64
}

// checkInOpen is the default of OpenOptions.CheckInOpen. Checking it takes about half a second on a slow machine.
const checkInOpen = 8 << 20

// inBackground reports whether a file is too large to be checked in Open.
func (o OpenOptions) inBackground(file os.FileInfo) bool {
	return file.Size() > cmp.Or(o.CheckInOpen, checkInOpen)
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

// writerSetup makes the writer overwrite what it deletes, and wait for the disk itself and not only for its cache; on macOS they differ.
func (o OpenOptions) writerSetup() string {
	setup := o.setup() + "; PRAGMA secure_delete = 1"
	if o.NoSync {
		return setup
	}
	return setup + "; PRAGMA fullfsync = 1; PRAGMA checkpoint_fullfsync = 1"
}

// oldestSQLite is the first version that can't corrupt a file when it resets the log
// (https://www.sqlite.org/releaselog/3_51_3.html).
const oldestSQLite = 3_051_003

// Open opens the database file at path and creates it if it doesn't exist. Its folder must exist. SQLite keeps path-wal and
// path-shm next to it; path.lock is empty. Open checks a file of up to 8 MiB for damage, and a larger one in the background.
//
// Open returns CodeConflict if another Store has the file open, in this process or another, or if a newer version wrote the
// file; CodeInvalid if path can't be a database; CodeUnavailable if the database is damaged; CodeNoSpace if the disk is full.
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
	locks, err := lockBoth(ctx, path)
	if err != nil {
		return nil, openError(path, err)
	}
	s, err := open(path, o, locks)
	if err != nil {
		return nil, errors.Join(openError(path, err), unlock(locks))
	}
	return s, nil
}

// open opens the locked file, migrates it to the latest schema, and checks it for damage.
func open(path string, o OpenOptions, locks []*os.File) (*Store, error) {
	s := &Store{path: path, locks: locks, closed: make(chan struct{})}
	s.writer = newPool(1, func() (*conn, error) { return s.connect(o.writerSetup()) })
	s.readers = newPool(max(4, runtime.GOMAXPROCS(0)), func() (*conn, error) { return s.connect(o.readerSetup()) })
	c, err := s.writer.open()
	if err != nil {
		return nil, err
	}
	if err := s.prepare(c, o); err != nil {
		return nil, errors.Join(err, c.close())
	}
	s.writer.push(c)
	return s, nil
}

// prepare prepares the file, and checks it or starts the check.
func (s *Store) prepare(c *conn, o OpenOptions) error {
	if err := prepareFile(c, o); err != nil {
		return err
	}
	if err := s.files.remember(s.path); err != nil {
		return err
	}
	if o.inBackground(s.files[0].opened) {
		s.checkLater(o)
		return nil
	}
	return check(c)
}

// connect opens a connection that reports damage to the Store.
func (s *Store) connect(setup string) (*conn, error) {
	c, err := connect(s.path, setup)
	if err == nil {
		c.found = s.health.damaged
	}
	return c, err
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
	if err := migrate(c, migrations(), seal); err != nil {
		return err
	}
	return c.exec(deleteOldJobs, keepJobs.Microseconds(), int64(-1))
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
			WithHint("Use another folder, or move the file away. If it was a database, it is damaged: run `soundstage repair DIR`.").Because(err)
	case isDamage(err), said.primary() == codeError: // a statement of this program fits every undamaged schema
		return damaged(path, err)
	case said.primary() == codeReadOnly:
		return engine.Errorf(engine.CodeUnavailable, "Open", "The database %s can't be written: its file is read-only or damaged.", path).
			WithHint("Check its permissions. " + damageHint).Because(err)
	case fault.NoSpace(err):
	case errors.Is(err, fs.ErrNotExist):
		return engine.Errorf(engine.CodeInvalid, "Open", "The folder of the database %s does not exist.", path).Because(err)
	case errors.As(err, &denied):
		return engine.Errorf(engine.CodeInvalid, "Open", "The database %s can't be opened.", path).
			WithHint("Check that this user can write to the folder.").Because(err)
	}
	return openError(path, translate(err))
}
