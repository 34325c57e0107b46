//go:build !unix

package emulator

// maxFiles returns how many files the process may open, or 0 when it is unknown.
func maxFiles() uint64 { return 0 }
