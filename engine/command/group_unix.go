//go:build unix

package command

import (
	"errors"
	"os/exec"
	"syscall"
)

// setProcessGroup runs the command in its own process group, and makes cancelling its context kill the whole group, for example a script's model.
func setProcessGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		if err := cmd.Process.Signal(syscall.Signal(0)); err != nil {
			return err // it has exited, and another process may have its ID
		}
		return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}

// signalOf returns the name of the signal that ended a process, or "".
func signalOf(err error) string {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return ""
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal().String()
	}
	return ""
}
