package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

const (
	fileMode   = 0o600
	folderMode = 0o700
)

// createFile creates a new file, and durably creates its folders.
func (b *Blobs) createFile(path string) (*os.File, error) {
	var err error
	for range 10 { // another process may remove the empty folder
		var file *os.File
		if file, err = b.tryCreate(path); !errors.Is(err, fs.ErrNotExist) {
			return file, err
		}
	}
	return nil, err
}

func (b *Blobs) tryCreate(path string) (*os.File, error) {
	b.folderMu.Lock()
	defer b.folderMu.Unlock()
	if err := b.makeFolder(filepath.Dir(path)); err != nil {
		return nil, err
	}
	return createNew(path)
}

// makeFolder is a durable os.MkdirAll.
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

// prune removes empty folders above path, up to the root.
func (b *Blobs) prune(path string) {
	b.folderMu.Lock()
	defer b.folderMu.Unlock()
	for dir := filepath.Dir(path); dir != b.dir; dir = filepath.Dir(dir) {
		if os.Remove(dir) != nil {
			return
		}
	}
}

// writeFile durably writes a small new file.
func (b *Blobs) writeFile(path string, text []byte) error {
	file, err := createNew(path)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err == nil {
		err = b.sync(file)
	}
	return errors.Join(err, file.Close())
}

// readFile reads a small file.
func readFile(path string) ([]byte, error) {
	file, err := openFile(path)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(file)
	return text, errors.Join(err, file.Close())
}

func (b *Blobs) sync(file *os.File) error {
	if b.options.NoSync {
		return nil
	}
	return file.Sync()
}

// syncFolderOf makes the names in a key's folder durable.
func (b *Blobs) syncFolderOf(key string) error { return b.syncFolderAt(filepath.Dir(b.path(key))) }

func (b *Blobs) syncFolderAt(dir string) error {
	if b.options.NoSync || runtime.GOOS == "windows" { // Windows can't sync folders
		return nil
	}
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
