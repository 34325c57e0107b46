//go:build unix

package render

import (
	"errors"
	"os/exec"
	"syscall"
)

// ownGroup makes the command the head of a process group: a Ctrl-C meant for us doesn't reach it, and the end of its
// context kills all of the group, a wrapper script's children too.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
	cmd.Cancel = func() error {
		if err := cmd.Process.Signal(syscall.Signal(0)); err != nil {
			return err // it is gone, and its number may be somebody else's by now
		}
		return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}

// killed reports whether a process ended by the signal that no process can refuse.
func killed(err error) bool {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}
