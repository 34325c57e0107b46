//go:build !unix

package render

import "os/exec"

// setProcessGroup does nothing: the end of the context kills the command, but not its children.
func setProcessGroup(*exec.Cmd) {}

// killed and tookCPU return false: these systems don't tell why a process ended.
func killed(error) bool  { return false }
func tookCPU(error) bool { return false }
