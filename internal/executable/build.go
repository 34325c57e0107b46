package executable

import (
	"fmt"
	"os"
	"os/exec"
)

// Build builds the program of a package, such as "../../cmd/soundstage", into a file, without cgo, as releases are built. Go
// links it once for all tests and runs, until its source changes: linking takes as much processor time as many tests.
func Build(pkg, file string) error {
	build := exec.Command("go", "run", "-exec", "cp", pkg, file) // go run caches what it links, go build doesn't
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", pkg, err, out)
	}
	return nil
}
