//go:build unix

package main

import (
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/term"
)

// forwarded are the signals that a command gets from whoever runs it.
var forwarded = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2}

const (
	terminate   = syscall.SIGTERM
	leaveTime   = 2 * time.Second // for what a command has left running to end by itself
	leaveChecks = 10 * time.Millisecond
)

// separate gives a command a process group of its own, so that everything it starts can be ended with it. At a terminal it stays in
// ours: only the group in the foreground may read from it, and Ctrl-C and Ctrl-Z are for both.
func separate(c *exec.Cmd, in io.Reader) bool {
	c.SysProcAttr = attributes()
	file, ok := in.(*os.File)
	owned := !ok || !term.IsTerminal(int(file.Fd()))
	c.SysProcAttr.Setpgid = owned
	return owned
}

// signal hands a signal to the command and, as a terminal does, to everything of its group.
func (c child) signal(sig os.Signal) {
	s, ok := sig.(syscall.Signal)
	switch {
	case !ok:
	case c.owned:
		_ = syscall.Kill(-c.Process.Pid, s)
	case s != syscall.SIGINT && s != syscall.SIGQUIT: // the terminal has sent these to both
		_ = c.Process.Signal(s)
	}
}

// cleanUp ends what the command has left in its group: kindly, then not.
func (c child) cleanUp() {
	if !c.owned {
		return
	}
	group := -c.Process.Pid
	if syscall.Kill(group, syscall.SIGTERM) != nil {
		return
	}
	for end := time.Now().Add(leaveTime); time.Now().Before(end); time.Sleep(leaveChecks) {
		if syscall.Kill(group, 0) != nil {
			return
		}
	}
	_ = syscall.Kill(group, syscall.SIGKILL)
}

// exitOf is the exit code that a shell would tell: 128 and the signal of a command that a signal has ended.
func exitOf(p *os.ProcessState) int {
	if status, ok := p.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return p.ExitCode()
}
