//go:build !cgo

package sqlite

import (
	"database/sql/driver"
	"errors"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// openDriver opens a connection of SQLite that was translated to Go.
func openDriver(dsn string) (driver.Conn, error) { return new(sqlite.Driver).Open(dsn) }

// sqliteVersion is SQLite's version, as a text and as SQLITE_VERSION_NUMBER.
func sqliteVersion() (string, int) { return sqlite3.SQLITE_VERSION, sqlite3.SQLITE_VERSION_NUMBER }

// failureOf finds what SQLite said in an error of the driver, which doesn't know what the operating system said.
func failureOf(err error) (failure, bool) {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return failure{}, false
	}
	return failure{code: e.Code()}, true
}
