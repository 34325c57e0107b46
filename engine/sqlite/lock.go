package sqlite

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

const (
	lockWait  = time.Second // after that, a lock is in use
	lockPause = 10 * time.Millisecond
)

// lockBoth creates the database file if it doesn't exist, and locks it: by path.lock, and, where the system allows it, the file
// itself, so that the lock survives the deletion of path.lock. CodeConflict if another Store has a lock.
func lockBoth(ctx context.Context, path string) (locks []*os.File, err error) {
	names := []string{path + ".lock"}
	if locksDatabase {
		names = append(names, path)
	}
	for _, name := range names {
		lock, taken, err := lockSoon(ctx, name)
		if taken {
			err = engine.Errorf(engine.CodeConflict, "Open", "The database %s is in use by another process.", path).
				WithHint("Stop the other process, or use another folder.").Because(err)
		}
		if err != nil {
			return nil, errors.Join(err, unlock(locks))
		}
		locks = append(locks, lock)
	}
	if locksDatabase {
		return locks, nil
	}
	// SQLite would create a file that every user can read.
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return nil, errors.Join(err, unlock(locks))
	}
	return locks, nil
}

// lockSoon is lockFile. It waits for a lock that is taken, because a child of a killed process keeps it until its exec.
func lockSoon(ctx context.Context, path string) (f *os.File, taken bool, err error) {
	for end := time.Now().Add(lockWait); ; {
		if f, taken, err = lockFile(path); !taken || time.Now().After(end) {
			return f, taken, err
		}
		select {
		case <-ctx.Done():
			return nil, false, context.Cause(ctx)
		case <-time.After(lockPause):
		}
	}
}

// Lock locks an existing database without opening it, so that no Store can open it. CodeNotFound, CodeConflict.
func Lock(ctx context.Context, path string) (release func() error, err error) {
	_, locks, err := lockExisting(ctx, path)
	return func() error { return unlock(locks) }, err
}

// unlock releases locks. It must not be called before SQLite has closed the file: closing the lock's descriptor would release
// SQLite's own locks, too.
func unlock(locks []*os.File) error {
	var errs []error
	for _, lock := range locks {
		errs = append(errs, unlockFile(lock))
	}
	return errors.Join(errs...)
}
