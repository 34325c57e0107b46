//go:build unix && !linux

package main

import "syscall"

// sysProcAttr returns none: only Linux can terminate a process together with its parent.
func sysProcAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }
