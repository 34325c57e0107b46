// Package startgc sets the garbage collection of a program from its first milliseconds on. What packages of a large program make when they are
// initialised is almost all kept, but may set off a collection even before main, which then costs a sixth of a short start.
//
// Package main imports it. Its commands call Set again when they run.
package startgc

import (
	"os"
	"runtime/debug"
)

// percent is the GOGC until the program sets another one: enough for the initialisation of all packages.
const percent = 300

// This package needs few others, so it is initialised before most. A call in main would come too late.
func init() { Set(percent) }

// Set sets GOGC, as a percentage, unless the environment does.
func Set(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}
