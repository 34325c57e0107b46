//go:build !unix

package command

import "os/exec"

// setProcessGroup does nothing: cancelling the context kills the command, but not its child processes.
func setProcessGroup(*exec.Cmd) {}

// signalOf returns "": this system has no signals.
func signalOf(error) string { return "" }
