//go:build !race

package clients_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

const oapiCodegen = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen"

// The Go client that oapi-codegen generates from the contract compiles and can use every part of the sandbox.
func TestGoClient(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it generates and compiles a client")
	s := newSandbox(t)
	scenario := program{name: goScenario(t), env: s.environment(t, s.url)}
	require.Contains(t, scenario.run(t), "errors\n")
}

// goScenario returns the path of the program testdata/go, built with its generated client.
func goScenario(t *testing.T) string {
	t.Helper()
	return built("scenario", func(path string) {
		dir := t.TempDir()
		copyFiles(t, "testdata/go", dir)
		spec, err := filepath.Abs(specFile)
		require.NoError(t, err)
		require.NoError(t, os.Mkdir(filepath.Join(dir, "client"), 0o700))
		goTool(dir, oapiCodegen, "-generate", "types,client", "-package", "client", "-o", "client/client.go", spec).run(t)
		goProgram(dir, "build", "-trimpath", "-o", path, ".").run(t)
	})
}
