package postgres

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/soundstage-dev/soundstage/engine"
)

// The SQLSTATE codes that this package handles (https://www.postgresql.org/docs/current/errcodes-appendix.html).
const (
	stateProtocol      = "08P01"
	stateUnique        = "23505"
	stateInvalidText   = "22021" // a byte sequence that isn't UTF-8, such as a NUL
	stateInvalidValue  = "22023" // such as an ID of a transaction that is in the future
	stateReadOnly      = "25006"
	stateNoAuth        = "28000"
	stateWrongPassword = "28P01"
	stateNoDatabase    = "3D000"
	stateSerialization = "40001"
	stateDeadlock      = "40P01"
	stateNoStatement   = "26000" // no prepared statement of this name
	stateNoPrivilege   = "42501"
	stateSameStatement = "42P05" // a prepared statement of this name exists
	stateNoTable       = "42P01"
	stateNoSchema      = "3F000"
	stateDiskFull      = "53100"
	stateOutOfMemory   = "53200"
	stateTooMany       = "53300"
	stateLockTimeout   = "55P03"
	stateCanceled      = "57014" // by statement_timeout
	stateClassOperator = "57P"   // shutdown, crash, or not yet started
	stateClassConn     = "08"
)

// grantHint says which rights nodes need.
const grantHint = "Make it the owner of the tables, or grant it SELECT, INSERT, UPDATE, and DELETE on them, and USAGE on their sequences."

// errEnded is returned by a Tx after its fn has returned.
var errEnded = &engine.Error{Code: engine.CodeInternal, Err: errors.New("postgres: the transaction has ended; its Tx can't be used any more")}

// stateOf returns the SQLSTATE of an error of the server, or "".
func stateOf(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// isConflict reports whether a transaction may succeed if it runs again.
func isConflict(err error) bool {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return false
	}
	switch e.Code {
	case stateSerialization, stateDeadlock, stateLockTimeout:
		return true
	case stateUnique: // two transactions that appended an event at once
		return e.ConstraintName == "events_pkey"
	}
	return false
}

// isLost reports whether the connection ended, or can't be made now. A password, a right to log in, or a database that is missing now was there
// when the store was opened: an operator changes it, and other connections of the pool may still work.
func isLost(err error) bool {
	switch state := stateOf(err); state {
	case "":
	case stateNoAuth, stateWrongPassword, stateNoDatabase:
		return true
	default:
		return strings.HasPrefix(state, stateClassOperator) || strings.HasPrefix(state, stateClassConn) || state == stateTooMany || state == "25P03"
	}
	var network net.Error
	var connect *pgconn.ConnectError
	return errors.As(err, &connect) || errors.As(err, &network) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) ||
		errors.Is(err, net.ErrClosed) || strings.Contains(fmt.Sprint(err), "conn closed")
}

// translate converts an error of PostgreSQL or the network to an *engine.Error.
func translate(err error) error {
	if err == nil {
		return nil
	}
	var known *engine.Error
	if errors.As(err, &known) {
		return err
	}
	switch stateOf(err) {
	case stateUnique:
		return engine.Errorf(engine.CodeConflict, "", "Another row with the same key already exists.").Because(err)
	case stateInvalidText:
		return engine.Errorf(engine.CodeInvalid, "", "A text contains a byte that can't be stored.").WithHint("Send UTF-8 without NUL characters.").Because(err)
	case stateDiskFull:
		return engine.Errorf(engine.CodeNoSpace, "", "The disk of the database is full.").
			WithHint("Free some space on the database's disk; no restart is needed.").Because(err).Transient()
	case stateReadOnly:
		return engine.Errorf(engine.CodeUnavailable, "", "The database is read-only.").WithHint("Connect to the primary, not to a replica.").Because(err).Transient()
	case stateOutOfMemory, stateTooMany, stateCanceled, stateLockTimeout, stateSerialization, stateDeadlock:
		return engine.Errorf(engine.CodeUnavailable, "", "The database is busy.").WithHint("Try again later.").Because(err).Transient()
	case stateNoPrivilege:
		return engine.Errorf(engine.CodeUnavailable, "", "The database user may not do this.").
			WithHint(grantHint).Because(err).Transient()
	case stateNoTable, stateNoSchema:
		return engine.Errorf(engine.CodeUnavailable, "", "The database has no tables of this program.").WithHint("Run `soundstage migrate`.").Because(err).Transient()
	}
	if isLost(err) {
		return engine.Errorf(engine.CodeUnavailable, "", "The database can't be reached.").WithHint("Try again later.").Because(err).Transient()
	}
	return &engine.Error{Code: engine.CodeInternal, Err: err}
}
