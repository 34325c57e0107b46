package render

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// dieWithParent makes the kernel kill the process when the thread that started it ends.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

// limit bounds the address space of a process, the size of files it writes, and its CPU time, and disables core dumps. It applies a few
// microseconds after the process starts, long before that opens its input. Errors are ignored: some systems forbid it.
func limit(pid int, most limits) {
	for resource, n := range map[int]uint64{
		unix.RLIMIT_AS: most.memory, unix.RLIMIT_FSIZE: most.fileSize, unix.RLIMIT_CPU: most.cpu, unix.RLIMIT_CORE: 0,
	} {
		_ = unix.Prlimit(pid, resource, &unix.Rlimit{Cur: n, Max: n}, nil)
	}
}
