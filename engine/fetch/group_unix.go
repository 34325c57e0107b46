//go:build unix

package fetch

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes the command the head of a process group, and the end of its context kill all of it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}
