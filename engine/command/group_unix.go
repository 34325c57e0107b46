//go:build unix

package command

import (
	"errors"
	"os/exec"
	"syscall"
)

// ownGroup makes the command the head of a process group, and the end of its context kill all of it: a script's model too.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		if err := cmd.Process.Signal(syscall.Signal(0)); err != nil {
			return err // it is gone, and its number may be somebody else's by now
		}
		return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}

// signalOf returns the name of the signal that ended a process, "" where none did.
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
