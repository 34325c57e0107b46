package main

import "syscall"

// sysProcAttr makes the kernel terminate the command if this process is killed.
func sysProcAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM} }
