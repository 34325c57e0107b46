//go:build unix

package cluster

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup keeps Ctrl-C from a command: Stop ends it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func terminate(p *os.Process) { _ = p.Signal(syscall.SIGTERM) }
