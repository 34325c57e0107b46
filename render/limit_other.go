//go:build !linux

package render

import "syscall"

// dieWithParent does nothing: only Linux can.
func dieWithParent(*syscall.SysProcAttr) {}

// limit does nothing: a process that runs can be limited from outside on Linux only.
func limit(int, limits) {}
