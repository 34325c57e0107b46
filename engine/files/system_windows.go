package files

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// On Windows, nobody can delete or replace a file that package os has opened by its path. A file of an os.Root behaves as on other systems.

func openFile(path string) (file *os.File, err error) {
	err = inFolder(path, func(folder *os.Root, name string) error {
		file, err = folder.Open(name)
		return err
	})
	return file, err
}

// createNew creates a file that doesn't exist.
func createNew(path string) (file *os.File, err error) {
	err = inFolder(path, func(folder *os.Root, name string) error {
		file, err = folder.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
		return err
	})
	return file, err
}

func removeFile(path string) error { return inFolder(path, (*os.Root).Remove) }

// renameFile renames a file within its folder.
func renameFile(from, to string) error {
	return inFolder(from, func(folder *os.Root, name string) error { return folder.Rename(name, filepath.Base(to)) })
}

// inFolder calls do with the open folder of a path, and again for a second while others use the file or its folder: a file system without
// POSIX semantics, a virus scanner, or a process that removes the folder.
func inFolder(path string, do func(folder *os.Root, name string) error) error {
	for wait := time.Millisecond; ; wait *= 2 {
		folder, err := os.OpenRoot(filepath.Dir(path))
		if err == nil {
			err = do(folder, filepath.Base(path))
			_ = folder.Close()
		}
		if !inUse(err) || wait > time.Second {
			return err
		}
		time.Sleep(wait)
	}
}

// inUse also reports a denied permission, because Windows gives the same error for both.
func inUse(err error) bool {
	const sharingViolation syscall.Errno = 32
	return errors.Is(err, sharingViolation) || errors.Is(err, syscall.ERROR_ACCESS_DENIED)
}
