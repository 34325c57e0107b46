//go:build unix

package render

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// claim locks a file or folder of ours until release, or until this process ends in any way. It returns an error if another
// process holds the lock, and fs.ErrNotExist if the path no longer exists.
func claim(path string) (release func(), err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	mine, err := file.Stat()
	if err == nil {
		var named os.FileInfo
		if named, err = os.Lstat(path); err == nil && !os.SameFile(mine, named) {
			err = fs.ErrNotExist // it was removed and recreated in between
		}
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return func() { _ = file.Close() }, nil
}
