package sqlite

import (
	"errors"
	"os"
	"syscall"
)

// errorSharingViolation is ERROR_SHARING_VIOLATION: another process has the file open without sharing it.
const errorSharingViolation syscall.Errno = 32

// lockFile locks a file by opening it without sharing, or reports that it is already locked. The operating system releases the
// lock when the process ends, even if it crashes.
func lockFile(path string) (f *os.File, taken bool, err error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, false, err
	}
	h, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return nil, errors.Is(err, errorSharingViolation), err
	}
	return os.NewFile(uintptr(h), path), false, nil
}

// unlockFile releases the lock.
func unlockFile(f *os.File) error { return f.Close() }
