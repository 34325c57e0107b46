package render

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fault"
)

// partPattern names unfinished files. They are in the result's folder so that a rename can finish them.
const partPattern = ".soundstage-*.part"

// part is an unfinished result.
type part struct {
	path, out string
	release   func() // lets others remove it
}

// newPart creates an empty file next to out. Errors: CodeInvalid if the folder doesn't allow it, CodeNoSpace.
func newPart(op, out string) (part, error) {
	out, err := filepath.Abs(out)
	if err != nil {
		return part{}, internal(op, err)
	}
	if info, err := os.Stat(out); err == nil && info.IsDir() {
		return part{}, engine.Errorf(engine.CodeInvalid, op, "The result can't be written: its path is a folder.")
	}
	path, release, err := createClaimed(func() (string, error) {
		file, err := os.CreateTemp(filepath.Dir(out), partPattern)
		if err != nil {
			return "", err
		}
		return file.Name(), file.Close()
	})
	if err != nil {
		return part{}, writeError(op, err)
	}
	return part{path, out, release}, nil
}

// finish syncs the part to disk and renames it to out. Readers see the old file or the whole new one.
func (p part) finish(op string) error {
	file, err := os.OpenFile(p.path, os.O_RDWR, 0)
	if err != nil {
		return internal(op, err)
	}
	err = errors.Join(file.Chmod(0o644), file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(p.path, p.out)
	}
	if err != nil {
		return writeError(op, err)
	}
	if folder, err := os.Open(filepath.Dir(p.out)); err == nil {
		_ = folder.Sync() // some systems can't sync a folder
		_ = folder.Close()
	}
	return nil
}

// remove deletes an unfinished part. It does nothing after finish.
func (p part) remove() {
	_ = os.Remove(p.path)
	p.release()
}

func writeError(op string, err error) error {
	switch {
	case fault.NoSpace(err):
		return noSpace(op, err)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), fault.NotFolder(err), fault.ReadOnly(err):
		return engine.Errorf(engine.CodeInvalid, op, "The result can't be written: its folder doesn't exist or isn't writable.").Because(err)
	}
	return internal(op, err)
}

func noSpace(op string, err error) error {
	return engine.Errorf(engine.CodeNoSpace, op, "The disk is full, so the render could not be finished.").
		WithHint("Free some space, then render again.").Because(err)
}
