package main

import (
	"io"
	"os"
	"os/exec"
)

// forwarded contains only the console's interrupt, which the console sends to the command as well.
var forwarded = []os.Signal{os.Interrupt}

var terminate = os.Kill

func setProcessGroup(*exec.Cmd, io.Reader) bool { return false }

// signal kills the command on os.Kill. Windows has no other signals to forward.
func (c child) signal(sig os.Signal) {
	if sig == os.Kill {
		_ = c.Process.Kill()
	}
}

func (c child) cleanUp() {}

func shellExitCode(p *os.ProcessState) int { return p.ExitCode() }
