package render

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// dieWithParent makes the kernel kill the process when the thread that started it ends.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

// limit bounds the address space of a process, the size of files it writes, and its CPU time, and disables core dumps. It applies a few
// microseconds after the process starts, long before that opens its input. Errors are ignored: some systems forbid it. At its CPU time a
// process gets SIGXCPU, which says why it ended; one that ignores it is killed a second later.
func limit(pid int, most limits) {
	for resource, n := range map[int]unix.Rlimit{
		unix.RLIMIT_AS:    {Cur: most.memory, Max: most.memory},
		unix.RLIMIT_FSIZE: {Cur: most.fileSize, Max: most.fileSize},
		unix.RLIMIT_CPU:   {Cur: most.cpu, Max: most.cpu + 1},
		unix.RLIMIT_CORE:  {},
	} {
		_ = unix.Prlimit(pid, resource, &n, nil)
	}
}
