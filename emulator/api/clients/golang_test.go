package clients_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// A Go client that oapi-codegen makes of the contract compiles, and drives every part of the sandbox.
func TestGoClient(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	scenario := program{name: goScenario(t), env: s.environment(t, s.url)}
	require.Contains(t, scenario.run(t), "errors\n")
}

var goBuild struct {
	sync.Mutex
	path string
}

// goScenario returns the program testdata/go with the client that is generated for it. It is built once.
func goScenario(t *testing.T) string {
	t.Helper()
	goBuild.Lock()
	defer goBuild.Unlock()
	if goBuild.path != "" {
		return goBuild.path
	}
	dir := t.TempDir()
	copyFiles(t, "testdata/go", dir)
	spec, err := filepath.Abs(specFile)
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "client"), 0o700))
	generate := []string{"tool", "oapi-codegen", "-generate", "types,client", "-package", "client", "-o", "client/client.go", spec}
	program{dir: dir, name: "go", args: generate}.run(t)
	path := filepath.Join(buildDir, "scenario")
	program{dir: dir, name: "go", args: []string{"build", "-trimpath", "-o", path, "."}}.run(t)
	goBuild.path = path
	return path
}

// buildDir outlives the tests, which share what is in it.
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
