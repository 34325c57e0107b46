//go:build cgo

package sqlite

import (
	"database/sql/driver"
	"errors"

	"github.com/mattn/go-sqlite3"
)

// openDriver opens a connection with SQLite in C.
func openDriver(dsn string) (driver.Conn, error) {
	return new(sqlite3.SQLiteDriver).Open(dsn + "&_mutex=no")
}

// sqliteVersion returns SQLite's version as text and as SQLITE_VERSION_NUMBER.
func sqliteVersion() (string, int) {
	text, number, _ := sqlite3.Version()
	return text, number
}

// failureOf extracts SQLite's failure from an error of the driver.
func failureOf(err error) (failure, bool) {
	var e sqlite3.Error
	if !errors.As(err, &e) {
		return failure{}, false
	}
	return failure{code: max(int(e.Code), int(e.ExtendedCode)), errno: e.SystemErrno}, true
}
