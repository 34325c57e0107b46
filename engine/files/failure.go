package files

import (
	"errors"
	"io/fs"
	"syscall"

	"github.com/soundstage-dev/soundstage/engine"
)

// failure makes an *engine.Error of what the file system said.
func failure(err error) error {
	var known *engine.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return known
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return engine.Errorf(engine.CodeNoSpace, "", "The disk is full.").
			WithHint("Free some space, then try again.").Because(err).Transient()
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS), errors.Is(err, syscall.ENOTDIR):
		return engine.Errorf(engine.CodeUnavailable, "", "The storage may not be used.").
			WithHint("Give the server a folder that it may read and write.").Because(err)
	default:
		return &engine.Error{Code: engine.CodeInternal, Err: err}
	}
}
