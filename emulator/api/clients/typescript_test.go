//go:build !race

package clients_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// The TypeScript types from openapi-typescript compile in strict mode, and openapi-fetch can use every part of the sandbox with them.
func TestTypeScriptClient(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it generates and compiles a client")
	generator, compiler := script(t, "openapi-typescript/bin/cli.js"), script(t, "typescript/bin/tsc")
	s := newSandbox(t)
	dir := t.TempDir()
	copyFiles(t, packages, dir)
	modules, err := filepath.Abs(filepath.Join(packages, "node_modules"))
	require.NoError(t, err)
	require.NoError(t, os.Symlink(modules, filepath.Join(dir, "node_modules")))
	spec, err := filepath.Abs(specFile)
	require.NoError(t, err)

	program{dir: dir, name: "node", args: []string{generator, spec, "-o", "contract.ts"}}.run(t)
	program{dir: dir, name: "node", args: []string{compiler, "-p", "."}}.run(t)
	scenario := program{dir: dir, name: "node", args: []string{"out/scenario.js"}, env: s.environment(t, s.url)}
	require.Contains(t, scenario.run(t), "errors\n")
}
