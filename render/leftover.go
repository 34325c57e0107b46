package render

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// The names of what a process that is killed can't remove any more.
var (
	partName = regexp.MustCompile(`^\.soundstage-[0-9]+\.part$`)
	tempName = regexp.MustCompile(`^soundstage-[0-9]+\.tmp$`)
)

// RemoveParts deletes the unfinished results that renders left in a folder when their program was killed; those of other
// programs that still run stay. Call it with the folder of a result before the render.
func RemoveParts(folder string) error { return removeLeftover(folder, partName) }

// NewTempDir makes a folder for FFmpeg.TempDir and all else that a program keeps while it runs, in parent or in
// os.TempDir(). It first deletes those of programs that were killed. remove deletes it and what is in it. Errors: those
// of a result that can't be written.
func NewTempDir(parent string) (path string, remove func() error, err error) {
	if parent == "" {
		parent = os.TempDir()
	}
	_ = removeLeftover(parent, tempName) // that something is left is no reason not to work
	path, release, err := claimed(func() (string, error) { return os.MkdirTemp(parent, "soundstage-*.tmp") })
	if err != nil {
		return "", nil, writeError("NewTempDir", err)
	}
	return path, func() error {
		defer release()
		return os.RemoveAll(path)
	}, nil
}

// removeLeftover deletes everything in a folder that has such a name and whose process is gone.
func removeLeftover(folder string, name *regexp.Regexp) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if !name.MatchString(e.Name()) {
			continue
		}
		path := filepath.Join(folder, e.Name())
		if release, claimErr := claim(path); claimErr == nil {
			err = errors.Join(err, os.RemoveAll(path))
			release()
		}
	}
	return err
}

// claimed makes something and claims it. Between the two another process may take it for left behind and delete it; then
// it is made once more. Where nothing can be claimed, nothing is deleted either.
func claimed(create func() (string, error)) (path string, release func(), err error) {
	for range 10 {
		if path, err = create(); err != nil {
			return "", nil, err
		}
		release, err = claim(path)
		if err == nil {
			return path, release, nil
		}
		if _, gone := os.Lstat(path); gone == nil {
			return path, func() {}, nil
		}
	}
	return "", nil, err
}
