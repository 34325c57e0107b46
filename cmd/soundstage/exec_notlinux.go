//go:build unix && !linux

package main

import "syscall"

// attributes are none: only Linux ends a process with the one that started it.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }
