//go:build unix

package sqlite

import (
	"errors"
	"os"
	"syscall"
)

// lockFile locks a file, or reports that it is already locked. The operating system releases the lock when the process ends,
// even if it crashes. The file is never removed, because two processes could then lock two files of the same name.
func lockFile(path string) (f *os.File, taken bool, err error) {
	f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, false, err
	}
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		_ = f.Close()
		return nil, errors.Is(err, syscall.EWOULDBLOCK), err
	}
	return f, false, nil
}

// unlockFile releases the lock. Closing the file isn't enough: a child process that another goroutine is starting also holds
// the open file until its exec.
func unlockFile(f *os.File) error {
	return errors.Join(syscall.Flock(int(f.Fd()), syscall.LOCK_UN), f.Close())
}
