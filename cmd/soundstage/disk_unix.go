//go:build linux || darwin || freebsd

package main

import "golang.org/x/sys/unix"

// freeSpace returns how many bytes this user can still write to the disk that holds a folder.
func freeSpace(dir string) (uint64, bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, false
	}
	return uint64(max(0, int64(s.Bavail))) * uint64(s.Bsize), true
}
