package render

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// dieWithParent has the kernel kill the process when the thread that started it ends.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

// limit bounds what a process may do from now on: its address space, and neither files nor core dumps of any size. It
// is set from outside, a few microseconds after the process begins and long before it opens its input. A system that
// forbids setting it is left alone, as are those that have no limits.
func limit(pid int, memory int64) {
	for resource, n := range map[int]uint64{unix.RLIMIT_AS: uint64(memory), unix.RLIMIT_FSIZE: 0, unix.RLIMIT_CORE: 0} {
		_ = unix.Prlimit(pid, resource, &unix.Rlimit{Cur: n, Max: n}, nil)
	}
}
