package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/soundstage-dev/soundstage/engine"
)

// writeFile atomically replaces a file.
func writeFile(path string, b []byte) error {
	return replaceFile(path, func(f *os.File) error {
		_, err := f.Write(b)
		return err
	})
}

// replaceFile writes a file under a temporary name in its folder and renames it. On an error nothing changes. An error of write is returned
// unless the file couldn't be written.
func replaceFile(path string, write func(*os.File) error) error {
	return replaceFileMode(path, 0o644, write)
}

// replaceFileMode is replaceFile with the permissions of the file.
func replaceFileMode(path string, mode os.FileMode, write func(*os.File) error) error {
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return cantWrite(path, err)
	}
	defer func() { _ = os.Remove(temp.Name()) }()
	err = write(temp)
	if err == nil {
		err = temp.Chmod(mode)
	}
	if closeErr := temp.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil && engine.CodeOf(err) == engine.CodeInternal {
		return cantWrite(path, err)
	}
	return err
}

func cantWrite(path string, err error) error {
	return engine.Errorf(engine.CodeUnavailable, "write", "The file %s can't be written.", path).
		WithHint("Check the folder and its permissions.").Because(fmt.Errorf("write: %w", err))
}
