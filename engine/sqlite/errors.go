package sqlite

import (
	"errors"
	"syscall"

	"github.com/soundstage-dev/soundstage/engine"
)

// failure is what SQLite said of a statement that failed; the zero failure is none.
type failure struct {
	code  int           // extended where there is one (https://www.sqlite.org/rescode.html)
	errno syscall.Errno // of the operating system, if it said something and the driver tells
}

// The codes of SQLite that mean something here.
const (
	codeError                = 1
	codeBusy                 = 5
	codeLocked               = 6
	codeIOErr                = 10
	codeFull                 = 13
	codeCantOpen             = 14
	codeNotADB               = 26
	codeConstraintPrimaryKey = 19 | 6<<8
	codeConstraintUnique     = 19 | 8<<8
	codeIOErrSHMSize         = codeIOErr | 19<<8
)

func (f failure) primary() int { return f.code & 0xff }

// errOver is what a Tx answers when its fn has returned.
var errOver = &engine.Error{Code: engine.CodeInternal, Err: errors.New("sqlite: the transaction is over, its Tx can't be used any more")}

// errClosed is what a Store answers after Close.
var errClosed = engine.Errorf(engine.CodeUnavailable, "", "The database is closed.")

// translate makes an *engine.Error of what SQLite or the file system says.
func translate(err error) error {
	if err == nil {
		return nil
	}
	said, _ := failureOf(err)
	switch {
	case full(err, said):
		return engine.Errorf(engine.CodeNoSpace, "", "The disk is full.").
			WithHint("Free some space on the disk that has the database; nothing needs to be restarted.").Because(err).Transient()
	case said.primary() == codeBusy || said.primary() == codeLocked:
		return engine.Errorf(engine.CodeUnavailable, "", "The database is busy.").
			WithHint("Close other programs that have the database open.").Because(err).Transient()
	case said.code == codeConstraintUnique || said.code == codeConstraintPrimaryKey:
		return engine.Errorf(engine.CodeConflict, "", "There is another row like this already.").Because(err)
	}
	return internal(err)
}

func internal(err error) error { return &engine.Error{Code: engine.CodeInternal, Err: err} }
