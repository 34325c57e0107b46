package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/media"
)

// mediaFile is a file that a scan found. It may not be media.
type mediaFile struct {
	path     string
	id       string // external id
	size     int64
	modified time.Time
}

// scanFolder returns the regular files of a folder and its subfolders by name. It leaves out hidden ones and the data folder, and returns
// the errors of what can't be read.
func scanFolder(folder, data string) (found []mediaFile, problems []error) {
	root := realPath(folder) // WalkDir doesn't follow a link
	own, _ := os.Stat(data)
	_ = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			problems = append(problems, fileError(path, err))
			return nil
		}
		hidden := path != root && strings.HasPrefix(entry.Name(), ".")
		if entry.IsDir() {
			if hidden || isFile(path, own) {
				return fs.SkipDir
			}
			return nil
		}
		info, err := os.Stat(path) // of a link's target
		if err == nil && info.Mode().IsRegular() && !hidden {
			target := path
			if entry.Type()&fs.ModeSymlink != 0 {
				target = realPath(path)
			}
			found = append(found, mediaFile{path: path, id: externalID(target), size: info.Size(), modified: info.ModTime()})
		}
		return nil
	})
	return found, problems
}

// isFile reports whether a path is a known file or folder, which may be nil.
func isFile(path string, known fs.FileInfo) bool {
	info, err := os.Stat(path)
	return err == nil && known != nil && os.SameFile(info, known)
}

// isMedia reports whether a file may be media: by its first bytes, or else by its name. Whether it is, the probe decides.
func (f mediaFile) isMedia() bool {
	file, err := os.Open(f.path)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }()
	head := make([]byte, 512)
	n, err := io.ReadFull(file, head)
	if n == 0 || err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false
	}
	return media.TypeOf(head[:n], f.path) != "application/octet-stream"
}

func (f mediaFile) source() source { return source{name: f.path, id: f.id, found: true} }
