//go:build !linux

package sqlite

// networkFileSystem always returns "", because detection is implemented only for Linux.
func networkFileSystem(string) string { return "" }
