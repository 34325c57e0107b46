package sqlite

import (
	"errors"
	"os"
	"syscall"
)

// errorSharingViolation is ERROR_SHARING_VIOLATION: somebody has the file open and doesn't share it.
const errorSharingViolation syscall.Errno = 32

// lockFile takes the lock of a file, or reports that it is taken: it opens the file without sharing it. The operating
// system gives it back when the process ends, however it ends.
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

// unlockFile gives the lock back.
func unlockFile(f *os.File) error { return f.Close() }
