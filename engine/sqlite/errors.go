//go:build cgo

package sqlite

import (
	"errors"
	"syscall"

	"github.com/mattn/go-sqlite3"

	"github.com/soundstage-dev/soundstage/engine"
)

// errOver is what a Tx answers when its fn has returned.
var errOver = &engine.Error{Code: engine.CodeInternal, Err: errors.New("sqlite: the transaction is over, its Tx can't be used any more")}

// errClosed is what a Store answers after Close.
var errClosed = engine.Errorf(engine.CodeUnavailable, "", "The database is closed.")

// translate makes an *engine.Error of what SQLite or the file system says.
func translate(err error) error {
	if err == nil {
		return nil
	}
	var e sqlite3.Error
	known := errors.As(err, &e)
	switch {
	case full(err, e):
		return engine.Errorf(engine.CodeNoSpace, "", "The disk is full.").
			WithHint("Free some space on the disk that has the database; nothing needs to be restarted.").Because(err).Transient()
	case known && (e.Code == sqlite3.ErrBusy || e.Code == sqlite3.ErrLocked):
		return engine.Errorf(engine.CodeUnavailable, "", "The database is busy.").
			WithHint("Close other programs that have the database open.").Because(err).Transient()
	case e.ExtendedCode == sqlite3.ErrConstraintUnique || e.ExtendedCode == sqlite3.ErrConstraintPrimaryKey:
		return engine.Errorf(engine.CodeConflict, "", "There is another row like this already.").Because(err)
	}
	return internal(err)
}

// full reports whether the disk or the user's share of it is used up. SQLite says so itself, or it reports an error of
// reading and writing and what the operating system said; growing the shared memory of the log fails with neither.
func full(err error, e sqlite3.Error) bool {
	return e.Code == sqlite3.ErrFull || e.ExtendedCode == sqlite3.ErrIoErrSHMSize ||
		e.SystemErrno == syscall.ENOSPC || e.SystemErrno == syscall.EDQUOT || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

func internal(err error) error { return &engine.Error{Code: engine.CodeInternal, Err: err} }
