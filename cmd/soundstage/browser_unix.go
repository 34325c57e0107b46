//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// detach lets a command outlive the program, and spares it the terminal's Ctrl-C.
func detach(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
