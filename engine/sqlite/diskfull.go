package sqlite

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// addNoSpace adds ENOSPC to the error of a statement that couldn't open or write a file, if the database's folder has no space.
// SQLite doesn't always report it: after failing to create a file it tries to open it for reading and reports that it doesn't
// exist. The driver without cgo doesn't report the operating system's error.
func addNoSpace(err error, folder string) error {
	if err == nil {
		return nil
	}
	f, _ := failureOf(err)
	if p := f.primary(); p != codeCantOpen && p != codeIOErr || isFull(err, f) || !fault.NoSpace(tryFile(folder)) {
		return err
	}
	return fmt.Errorf("%w: %w", err, syscall.ENOSPC)
}

// sharedMemory is the number of bytes by which SQLite grows the shared memory of a log.
const sharedMemory = 32 << 10

// tryFile creates a file of sharedMemory bytes and removes it.
func tryFile(folder string) error {
	f, err := os.CreateTemp(folder, ".soundstage-")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, sharedMemory))
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// isFull reports whether the disk or the user's quota is exhausted. SQLite reports that itself, or it reports an I/O error with
// the operating system's error. When growing the log's shared memory fails, it reports neither.
func isFull(err error, f failure) bool {
	return f.primary() == codeFull || f.code == codeIOErrSHMSize || fault.NoSpace(f.errno) || fault.NoSpace(err)
}
