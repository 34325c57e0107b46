package fault

import "syscall"

// The numbers of Windows, after those that package syscall has for all systems. Windows returns only its own.
var (
	noSpace = []syscall.Errno{
		syscall.ENOSPC, syscall.EDQUOT,
		39,   // ERROR_HANDLE_DISK_FULL
		112,  // ERROR_DISK_FULL
		1295, // ERROR_DISK_QUOTA_EXCEEDED
	}
	readOnly = []syscall.Errno{
		syscall.EROFS,
		19, // ERROR_WRITE_PROTECT
	}
	notFolder = []syscall.Errno{
		syscall.ENOTDIR, // of package os
		267,             // ERROR_DIRECTORY
	}
	addressInUse = []syscall.Errno{
		syscall.EADDRINUSE,
		10048, // WSAEADDRINUSE
	}
	refused = []syscall.Errno{
		syscall.ECONNREFUSED,
		10061, // WSAECONNREFUSED
	}
	brokenPipe = []syscall.Errno{
		syscall.EPIPE, syscall.ECONNRESET,
		syscall.ERROR_BROKEN_PIPE,
		232, // ERROR_NO_DATA: the pipe is being closed
		syscall.WSAECONNABORTED, syscall.WSAECONNRESET,
	}
)
