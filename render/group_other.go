//go:build !unix

package render

import "os/exec"

// setProcessGroup does nothing: the end of the context kills the command, but not its children.
func setProcessGroup(*exec.Cmd) {}

// killed returns false: these systems don't tell a kill from another failure.
func killed(error) bool { return false }
