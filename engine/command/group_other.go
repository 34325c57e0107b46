//go:build !unix

package command

import "os/exec"

// ownGroup leaves the command as it is: the end of its context kills it, but not its children.
func ownGroup(*exec.Cmd) {}

// signalOf is "": there are no signals.
func signalOf(error) string { return "" }
