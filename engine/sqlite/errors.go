package sqlite

import (
	"errors"
	"syscall"

	"github.com/soundstage-dev/soundstage/engine"
)

// failure is SQLite's result code for a failed statement; the zero value means no failure.
type failure struct {
	code  int           // extended result code if there is one (https://www.sqlite.org/rescode.html)
	errno syscall.Errno // error of the operating system, if the driver reports one
}

// The SQLite result codes that this package handles.
const (
	codeError                = 1
	codeBusy                 = 5
	codeLocked               = 6
	codeReadOnly             = 8
	codeIOErr                = 10
	codeCorrupt              = 11
	codeFull                 = 13
	codeCantOpen             = 14
	codeNotADB               = 26
	codeConstraintPrimaryKey = 19 | 6<<8
	codeConstraintUnique     = 19 | 8<<8
	codeIOErrSHMSize         = codeIOErr | 19<<8
)

func (f failure) primary() int { return f.code & 0xff }

// errEnded is returned by a Tx after its fn has returned.
var errEnded = &engine.Error{Code: engine.CodeInternal, Err: errors.New("sqlite: the transaction has ended; its Tx can't be used any more")}

// errClosed is returned by a Store after Close.
var errClosed = engine.Errorf(engine.CodeUnavailable, "", "The database is closed.")

// translate converts an error of SQLite or the file system to an *engine.Error.
func translate(err error) error {
	if err == nil {
		return nil
	}
	said, _ := failureOf(err)
	switch {
	case isFull(err, said):
		return engine.Errorf(engine.CodeNoSpace, "", "The disk is full.").
			WithHint("Free some space on the database's disk; no restart is needed.").Because(err).Transient()
	case said.primary() == codeBusy || said.primary() == codeLocked:
		return engine.Errorf(engine.CodeUnavailable, "", "The database is busy.").
			WithHint("Close other programs that have the database open.").Because(err).Transient()
	case isDamage(err):
		return engine.Errorf(engine.CodeUnavailable, "", "The database is damaged.").WithHint(damageHint).Because(err)
	case said.code == codeConstraintUnique || said.code == codeConstraintPrimaryKey:
		return engine.Errorf(engine.CodeConflict, "", "Another row with the same key already exists.").Because(err)
	}
	return internal(err)
}

// damageHint says what to do about a damaged database.
const damageHint = "Stop the server, run `soundstage verify DIR` to see what is damaged, then `soundstage repair DIR` or restore a backup."

// isDamage reports whether an error means that the file is damaged.
func isDamage(err error) bool {
	var row *damagedError
	var structure *structureError
	said, _ := failureOf(err)
	return errors.As(err, &row) || errors.As(err, &structure) || said.primary() == codeCorrupt || said.primary() == codeNotADB
}

func internal(err error) error { return &engine.Error{Code: engine.CodeInternal, Err: err} }
