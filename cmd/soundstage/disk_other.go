//go:build !linux && !darwin && !freebsd

package main

// freeSpace returns false: free space is unknown on this system.
func freeSpace(string) (uint64, bool) { return 0, false }
