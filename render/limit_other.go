//go:build !linux

package render

import "syscall"

// dieWithParent does nothing: only Linux supports it.
func dieWithParent(*syscall.SysProcAttr) {}

// limit does nothing: only Linux can limit a running process from outside.
func limit(int, limits) {}
