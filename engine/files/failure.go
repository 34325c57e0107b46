package files

import (
	"errors"
	"io/fs"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fault"
)

// failure converts an error of the file system to an *engine.Error.
func failure(err error) error {
	var known *engine.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return known
	case isDamage(err):
		return damageError(err)
	case fault.NoSpace(err):
		return engine.Errorf(engine.CodeNoSpace, "", "The disk is full.").
			WithHint("Free some space, then try again.").Because(err).Transient()
	case errors.Is(err, fs.ErrPermission), fault.ReadOnly(err), fault.NotFolder(err):
		return engine.Errorf(engine.CodeUnavailable, "", "The storage folder is not readable and writable.").
			WithHint("Check the permissions of the folder, or choose another one.").Because(err)
	default:
		return &engine.Error{Code: engine.CodeInternal, Err: err}
	}
}
