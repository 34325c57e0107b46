//go:build !linux

package sqlite

// locksDatabase is false: see lock_linux.go.
const locksDatabase = false
