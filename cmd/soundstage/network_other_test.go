//go:build !linux

package main

// runOffline runs a command line as it is: only Linux has network namespaces.
func runOffline(run func() int) int { return run() }
