package main

import "syscall"

// attributes end the command also when we are killed and can't.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM} }
