//go:build unix

package render

import (
	"errors"
	"os/exec"
	"syscall"
)

// setProcessGroup makes the command lead its own process group. A Ctrl-C for this program doesn't reach it, and the end of its
// context kills the whole group, including children of a wrapper script.
func setProcessGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
	cmd.Cancel = func() error {
		if err := cmd.Process.Signal(syscall.Signal(0)); err != nil {
			return err // it is gone, and its ID may belong to another process by now
		}
		return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}

// killed reports whether SIGKILL ended the process.
func killed(err error) bool { return endedBy(err, syscall.SIGKILL) }

// tookCPU reports whether the signal of a used-up CPU time ended the process.
func tookCPU(err error) bool { return endedBy(err, syscall.SIGXCPU) }

func endedBy(err error, signal syscall.Signal) bool {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == signal
}
