//go:build !windows

package fault

import "syscall"

var (
	noSpace      = []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT}
	readOnly     = []syscall.Errno{syscall.EROFS}
	notFolder    = []syscall.Errno{syscall.ENOTDIR}
	addressInUse = []syscall.Errno{syscall.EADDRINUSE}
	refused      = []syscall.Errno{syscall.ECONNREFUSED}
	brokenPipe   = []syscall.Errno{syscall.EPIPE, syscall.ECONNRESET}
)
