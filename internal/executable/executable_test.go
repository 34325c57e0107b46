//go:build unix

package executable_test

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/soundstage-dev/soundstage/internal/executable"
)

// A program can be started at once, while other tests write and start theirs.
func TestWrite(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 20 {
				path := filepath.Join(folder, strconv.Itoa(i)+"-"+strconv.Itoa(j))
				executable.Write(t, path, "#!/bin/sh\nexit 0\n")
				if err := exec.Command(path).Run(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
}
