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

// forwarded are the signals that exec forwards to the command.
var forwarded = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2}

const (
	terminate = syscall.SIGTERM
	killDelay = 2 * time.Second // for remaining processes to exit after SIGTERM
	killPoll  = 10 * time.Millisecond
)

// setProcessGroup gives a command its own process group, so that everything it starts can be terminated with it. It reports whether it did. On a
// terminal, the command stays in this group: only the foreground group may read from it, and Ctrl-C and Ctrl-Z are for both.
func setProcessGroup(c *exec.Cmd, in io.Reader) bool {
	c.SysProcAttr = sysProcAttr()
	file, ok := in.(*os.File)
	owned := !ok || !term.IsTerminal(int(file.Fd()))
	c.SysProcAttr.Setpgid = owned
	return owned
}

// signal sends a signal to the command and its process group, like a terminal.
func (c child) signal(sig os.Signal) {
	s, ok := sig.(syscall.Signal)
	switch {
	case !ok:
	case c.ownGroup:
		_ = syscall.Kill(-c.Process.Pid, s)
	case s != syscall.SIGINT && s != syscall.SIGQUIT: // the terminal sends these to both
		_ = c.Process.Signal(s)
	}
}

// cleanUp terminates the processes that remain in the command's group: with SIGTERM, then with SIGKILL.
func (c child) cleanUp() {
	if !c.ownGroup {
		return
	}
	group := -c.Process.Pid
	if syscall.Kill(group, syscall.SIGTERM) != nil {
		return
	}
	for end := time.Now().Add(killDelay); time.Now().Before(end); time.Sleep(killPoll) {
		if syscall.Kill(group, 0) != nil {
			return
		}
	}
	_ = syscall.Kill(group, syscall.SIGKILL)
}

// shellExitCode returns the exit code that a shell would: 128 plus the signal number for a command that a signal ended.
func shellExitCode(p *os.ProcessState) int {
	if status, ok := p.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return p.ExitCode()
}
