//go:build linux || darwin || freebsd

package main

import "golang.org/x/sys/unix"

// freeSpace is how many bytes this user may still write to the disk of a folder.
func freeSpace(dir string) (uint64, bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, false
	}
	return uint64(max(0, int64(s.Bavail))) * uint64(s.Bsize), true
}
