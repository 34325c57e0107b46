package sqlite

import (
	"context"
	"errors"
	"os"
	"sync"

	"github.com/soundstage-dev/soundstage/engine"
)

// Health describes the state of an open database.
type Health struct {
	Checking bool  // a check for damage runs in the background
	Problem  error // CodeUnavailable for damage and for deleted or replaced files; nil if none is known
}

// Health returns the state of the database: damage that a check or a statement has found since Open, and files that were
// deleted or replaced. After Close, it is the state at the end.
func (s *Store) Health() Health {
	h := s.health.get()
	select {
	case <-s.closed: // Close removes the log
		return h
	default:
	}
	if err := s.files.check(); err != nil {
		h.Problem = err
	}
	return h
}

// health is what is known about damage.
type health struct {
	checking sync.WaitGroup // the goroutine of checkLater

	mu    sync.Mutex
	runs  bool  // the check in the background runs
	found error // the first damage; nil if none
}

func (h *health) get() Health {
	h.mu.Lock()
	defer h.mu.Unlock()
	state := Health{Checking: h.runs}
	if h.found != nil {
		state.Problem = translate(h.found)
	}
	return state
}

// damaged remembers the first damage.
func (h *health) damaged(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.found == nil {
		h.found = err
	}
}

// checkLater checks the file in the background until it is checked or the Store is closed.
func (s *Store) checkLater(o OpenOptions) {
	ctx, cancel := context.WithCancel(context.Background())
	s.health.runs = true
	s.health.checking.Go(func() {
		defer cancel()
		err := s.checkApart(ctx, o)
		s.health.mu.Lock()
		defer s.health.mu.Unlock()
		if s.health.runs = false; ctx.Err() == nil && err != nil && s.health.found == nil {
			s.health.found = err
		}
	})
	go func() {
		select {
		case <-s.closed:
			cancel()
		case <-ctx.Done():
		}
	}()
}

// checkApart checks the file on a connection of its own. It checks one table at a time, because the log grows while a read lasts.
func (s *Store) checkApart(ctx context.Context, o OpenOptions) error {
	c, err := s.connect(o.readerSetup())
	if err != nil {
		return err
	}
	defer func() { _ = c.close() }()
	c.ctx = ctx
	for _, t := range append([]*summed{{name: "members"}}, summedTables...) {
		if err := checkPages(c, t.name); err != nil {
			return err
		}
	}
	return checkRows(c)
}

// fileSet has the files of an open database: the database, then its log and the log's shared memory.
type fileSet []knownFile

type knownFile struct {
	path     string
	opened   os.FileInfo
	identity bool // the system tells it from a file that replaces it
}

// remember looks at the files of the database at path. All exist once a connection has read from it.
func (f *fileSet) remember(path string) error {
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		// On Windows, the first comparison reads the identity. It may fail for mapped files.
		*f = append(*f, knownFile{path: name, opened: info, identity: os.SameFile(info, info)})
	}
	return nil
}

// check returns CodeUnavailable if a file was deleted or replaced. What is written then would be lost with the next start.
func (f fileSet) check() error {
	for _, file := range f {
		info, err := os.Stat(file.path)
		if errors.Is(err, os.ErrNotExist) {
			return engine.Errorf(engine.CodeUnavailable, "", "A file of the database was deleted while it was in use.").
				WithHint("Stop the server, put the file back from a backup, and start the server again.").Because(err)
		}
		if err == nil && file.identity && !os.SameFile(info, file.opened) {
			return engine.Errorf(engine.CodeUnavailable, "", "A file of the database was replaced while it was in use.").
				WithHint("Restart the server to use the new file.").Because(errors.New("replaced: " + file.path))
		}
	}
	return nil
}
