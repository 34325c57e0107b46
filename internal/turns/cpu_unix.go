//go:build unix

package turns

import "syscall"

// CPU returns a Cost: the seconds of processor time that fn takes, in this process and in child processes that it waits for. Nothing else may
// run in this process.
func CPU(fn func()) func() float64 {
	return func() float64 {
		before := used()
		fn()
		return used() - before
	}
}

// used returns the processor time of this process and of its finished children.
func used() (seconds float64) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			seconds += float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
		}
	}
	return seconds
}
