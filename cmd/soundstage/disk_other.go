//go:build !linux && !darwin && !freebsd

package main

// freeSpace isn't known on this system.
func freeSpace(string) (uint64, bool) { return 0, false }
