package render

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// Names of what a killed process leaves behind.
var (
	partName = lazyregexp.New(`^\.soundstage-[0-9]+\.part$`)
	tempName = lazyregexp.New(`^soundstage-[0-9]+\.tmp$`)
)

// RemoveParts deletes the unfinished results in a folder whose processes were killed. It keeps those of running processes.
// Call it with the folder of a result before the render.
func RemoveParts(folder string) error { return removeLeftover(folder, partName) }

// NewTempDir creates a temporary folder, for FFmpeg.TempDir and other files of a running program, in parent or in
// os.TempDir(). It first deletes the folders of killed programs. remove deletes the folder and its content. It returns the
// errors of a result that can't be written.
func NewTempDir(parent string) (path string, remove func() error, err error) {
	if parent == "" {
		parent = os.TempDir()
	}
	_ = removeLeftover(parent, tempName) // leftovers are no reason to fail
	path, release, err := createClaimed(func() (string, error) { return os.MkdirTemp(parent, "soundstage-*.tmp") })
	if err != nil {
		return "", nil, writeError("NewTempDir", err)
	}
	return path, func() error {
		defer release()
		return os.RemoveAll(path)
	}, nil
}

// removeLeftover deletes every entry of a folder that matches name and whose process is gone.
func removeLeftover(folder string, name *lazyregexp.Regexp) error {
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

// createClaimed creates a path and claims it. In between, another process may treat it as a leftover and delete it;
// createClaimed then creates it again. Where claims don't work, nothing deletes leftovers either.
func createClaimed(create func() (string, error)) (path string, release func(), err error) {
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
