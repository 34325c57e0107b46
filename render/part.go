package render

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/soundstage-dev/soundstage/engine"
)

// partPattern names files that are not finished. They are in the folder of the result, so that they can take its name.
const partPattern = ".soundstage-*.part"

// part is a result that isn't finished.
type part struct {
	path, out string
	release   func() // it may be removed by others
}

// newPart makes an empty file beside out. Errors: CodeInvalid when the folder can't have it, CodeNoSpace.
func newPart(op, out string) (part, error) {
	out, err := filepath.Abs(out)
	if err != nil {
		return part{}, internal(op, err)
	}
	if info, err := os.Stat(out); err == nil && info.IsDir() {
		return part{}, engine.Errorf(engine.CodeInvalid, op, "The result can't be written: there is a folder of that name.")
	}
	path, release, err := claimed(func() (string, error) {
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

// finish makes the part durable and gives it its name, which shows the whole result or what was there before.
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
		_ = folder.Sync() // not every system can
		_ = folder.Close()
	}
	return nil
}

// remove deletes what isn't finished; after finish there is nothing to delete.
func (p part) remove() {
	_ = os.Remove(p.path)
	p.release()
}

func writeError(op string, err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return noSpace(op, err)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EROFS):
		return engine.Errorf(engine.CodeInvalid, op, "The result can't be written: the folder doesn't exist or may not be written to.").Because(err)
	}
	return internal(op, err)
}

func noSpace(op string, err error) error {
	return engine.Errorf(engine.CodeNoSpace, op, "The disk is full, so the render could not be finished.").
		WithHint("Make room, then render again.").Because(err)
}
