//go:build !cgo

package sqlite

import (
	"database/sql/driver"
	"errors"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// openDriver opens a connection with SQLite translated to Go.
func openDriver(dsn string) (driver.Conn, error) { return new(sqlite.Driver).Open(dsn) }

// sqliteVersion returns SQLite's version as text and as SQLITE_VERSION_NUMBER.
func sqliteVersion() (string, int) { return sqlite3.SQLITE_VERSION, sqlite3.SQLITE_VERSION_NUMBER }

// failureOf extracts SQLite's failure from an error of the driver, which doesn't report the operating system's error.
func failureOf(err error) (failure, bool) {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return failure{}, false
	}
	return failure{code: e.Code()}, true
}
