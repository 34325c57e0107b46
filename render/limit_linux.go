package render

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// dieWithParent has the kernel kill the process when the thread that started it ends.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

// limit bounds what a process may do from now on: its address space, the files that it writes, and no core dumps. It is
// set from outside, a few microseconds after the process begins and long before it opens its input. A system that
// forbids setting it is left alone, as are those that have no limits.
func limit(pid int, most limits) {
	for resource, n := range map[int]uint64{unix.RLIMIT_AS: most.memory, unix.RLIMIT_FSIZE: most.fileSize, unix.RLIMIT_CORE: 0} {
		_ = unix.Prlimit(pid, resource, &unix.Rlimit{Cur: n, Max: n}, nil)
	}
}
