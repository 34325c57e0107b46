//go:build cgo

package sqlite

// DriverName is what database/sql calls the driver.
const DriverName = "sqlite3"

// OtherCgo is the CGO_ENABLED of the other driver.
const OtherCgo = "0"
