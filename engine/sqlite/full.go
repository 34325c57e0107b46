package sqlite

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// explain adds ENOSPC to the error of a statement that couldn't open or write a file, if the folder of the database has no space.
// SQLite tells it only in part: it tries to open a file that can't be made once more to read it, and fails because there is none;
// and the driver without cgo doesn't tell what the operating system said.
func explain(err error, folder string) error {
	if err == nil {
		return nil
	}
	f, _ := failureOf(err)
	if p := f.primary(); p != codeCantOpen && p != codeIOErr || full(err, f) || !noSpace(tryFile(folder)) {
		return err
	}
	return fmt.Errorf("%w: %w", err, syscall.ENOSPC)
}

// sharedMemory is how many bytes SQLite makes the shared memory of a log longer at a time.
const sharedMemory = 32 << 10

// tryFile makes a file of some size and removes it.
func tryFile(folder string) error {
	f, err := os.CreateTemp(folder, ".soundstage-")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, sharedMemory))
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// full reports whether the disk or the user's share of it is used up. SQLite says so itself, or it reports an error of
// reading and writing and what the operating system said; growing the shared memory of the log fails with neither.
func full(err error, f failure) bool {
	return f.primary() == codeFull || f.code == codeIOErrSHMSize || noSpace(f.errno) || noSpace(err)
}

func noSpace(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }
