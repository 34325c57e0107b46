package main

import (
	"io"
	"os"
	"os/exec"
)

// forwarded is only what the console sends, and it sends it to the command as well.
var forwarded = []os.Signal{os.Interrupt}

var terminate = os.Kill

func separate(*exec.Cmd, io.Reader) bool { return false }

// signal ends the command: there are no signals to hand on.
func (c child) signal(sig os.Signal) {
	if sig == os.Kill {
		_ = c.Process.Kill()
	}
}

func (c child) cleanUp() {}

func exitOf(p *os.ProcessState) int { return p.ExitCode() }
