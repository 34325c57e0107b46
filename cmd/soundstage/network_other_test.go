//go:build !linux

package main

// runOffline only calls run: only Linux has network namespaces.
func runOffline(run func() int) int { return run() }
