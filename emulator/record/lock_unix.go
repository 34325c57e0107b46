//go:build unix

package record

import (
	"os"
	"syscall"
)

// lock makes this process the only one that writes a file. The kernel releases the lock of a process that ends.
func lock(f *os.File) (unlock func() error, err error) {
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, err
	}
	return func() error { return syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }, nil
}
