//go:build !race

package clients_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/executable"
)

// builds holds the programs that several tests share, by name. Each is built once.
var builds = struct {
	sync.Mutex
	paths map[string]string
}{paths: map[string]string{}}

// built returns the path of a program and calls build to create it there the first time.
func built(name string, build func(path string)) string {
	builds.Lock()
	defer builds.Unlock()
	if builds.paths[name] == "" {
		path := filepath.Join(buildDir, name)
		build(path)
		builds.paths[name] = path
	}
	return builds.paths[name]
}

// soundstage returns the path of the soundstage command.
func soundstage(t *testing.T) string {
	t.Helper()
	return built("soundstage", func(path string) {
		require.NoError(t, executable.Build("../../../cmd/soundstage", path))
	})
}

// buildDir holds the shared programs and is removed after all tests.
var buildDir string

func TestMain(m *testing.M) {
	os.Exit(inBuildDir(m.Run))
}

func inBuildDir(run func() int) int {
	var err error
	if buildDir, err = os.MkdirTemp("", "soundstage-clients-"); err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(buildDir) }()
	return run()
}
