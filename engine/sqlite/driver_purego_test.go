//go:build !cgo

package sqlite

// DriverName is what database/sql calls the driver.
const DriverName = "sqlite"
