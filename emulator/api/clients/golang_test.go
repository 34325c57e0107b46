//go:build !race

package clients_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// A Go client that oapi-codegen makes of the contract compiles, and drives every part of the sandbox.
func TestGoClient(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it generates and compiles a client")
	s := newStage(t)
	scenario := program{name: goScenario(t), env: s.environment(t, s.url)}
	require.Contains(t, scenario.run(t), "errors\n")
}

// goScenario returns the program testdata/go with the client that is generated for it.
func goScenario(t *testing.T) string {
	t.Helper()
	return built("scenario", func(path string) {
		dir := t.TempDir()
		copyFiles(t, "testdata/go", dir)
		spec, err := filepath.Abs(specFile)
		require.NoError(t, err)
		require.NoError(t, os.Mkdir(filepath.Join(dir, "client"), 0o700))
		generate := []string{"tool", "oapi-codegen", "-generate", "types,client", "-package", "client", "-o", "client/client.go", spec}
		alone := append(os.Environ(), "GOWORK=off") // it is a module of its own
		program{dir: dir, name: "go", args: generate, env: alone}.run(t)
		program{dir: dir, name: "go", args: []string{"build", "-trimpath", "-o", path, "."}, env: alone}.run(t)
	})
}
