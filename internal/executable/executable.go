// Package executable writes programs for tests, so that they can be started at once, builds programs of this module, and finds ports for them.
package executable

import (
	"os"
	"syscall"
	"testing"
)

// Write writes a program, usually a shell script, that every user may start.
//
// Use it instead of os.WriteFile. A test that forks while the file is open for writing passes the open file to its child for a moment, and
// a file that is open for writing can't be started: "text file busy" (https://go.dev/issue/22315).
func Write(t testing.TB, path, text string) {
	t.Helper()
	syscall.ForkLock.RLock() // nothing in this process forks while the file is open
	err := os.WriteFile(path, []byte(text), 0o755)
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
}
