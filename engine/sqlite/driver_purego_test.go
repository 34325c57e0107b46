//go:build !cgo

package sqlite

// DriverName is the driver's name in database/sql.
const DriverName = "sqlite"

// OtherCgo is the value of CGO_ENABLED that selects the other driver.
const OtherCgo = "1"
