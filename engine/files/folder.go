package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

const (
	fileMode   = 0o600
	folderMode = 0o700
)

// createFile makes a new file, and durably the folders that it needs.
func (b *Blobs) createFile(path string) (*os.File, error) {
	var err error
	for range 10 { // another process may remove the folder while it is empty
		var file *os.File
		if file, err = b.tryCreate(path); !errors.Is(err, fs.ErrNotExist) {
			return file, err
		}
	}
	return nil, err
}

func (b *Blobs) tryCreate(path string) (*os.File, error) {
	b.folders.Lock()
	defer b.folders.Unlock()
	if err := b.makeFolder(filepath.Dir(path)); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
}

// makeFolder is os.MkdirAll, durable.
func (b *Blobs) makeFolder(dir string) error {
	parent := filepath.Dir(dir)
	err := os.Mkdir(dir, folderMode)
	if errors.Is(err, fs.ErrNotExist) && parent != dir {
		if err := b.makeFolder(parent); err != nil {
			return err
		}
		err = os.Mkdir(dir, folderMode)
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return b.syncFolderAt(parent)
}

// prune removes the folders above path that are empty, up to the root.
func (b *Blobs) prune(path string) {
	b.folders.Lock()
	defer b.folders.Unlock()
	for dir := filepath.Dir(path); dir != b.dir; dir = filepath.Dir(dir) {
		if os.Remove(dir) != nil {
			return
		}
	}
}

// writeFile writes a small new file, durably.
func (b *Blobs) writeFile(path string, text []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err == nil {
		err = b.sync(file)
	}
	return errors.Join(err, file.Close())
}

func (b *Blobs) sync(file *os.File) error {
	if b.options.NoSync {
		return nil
	}
	return file.Sync()
}

// syncFolderOf makes durable which files the folder of a key has.
func (b *Blobs) syncFolderOf(key string) error { return b.syncFolderAt(filepath.Dir(b.path(key))) }

func (b *Blobs) syncFolderAt(dir string) error {
	if b.options.NoSync || runtime.GOOS == "windows" { // which has no such thing
		return nil
	}
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
