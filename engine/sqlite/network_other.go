//go:build !linux

package sqlite

// networkFileSystem can't tell on this system.
func networkFileSystem(string) string { return "" }
