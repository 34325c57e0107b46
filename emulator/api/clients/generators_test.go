//go:build !race

package clients_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// contracts are the paths of the OpenAPI documents, by the names that generated code has for them.
var contracts = map[string]string{"v1": specFile, "control": "../../control/openapi.yaml"}

// warning matches a line in which a generator complains.
var warning = regexp.MustCompile(`(?i)\b(warn(ing)?|error|deprecat\w*|unsupported|skip(ped|ping)|not implemented|invalid)\b`)

// Generators that the project doesn't use read both contracts without a warning. Their code compiles, strictly in TypeScript, and uploads a
// recording, reads its transcript, and downloads a render of it.
func TestGenerators(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it generates and compiles clients")
	for name, generate := range map[string]func(*testing.T) program{"ogen": ogen, "hey-api": heyAPI, "orval": orval, "quicktype": quicktype} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			scenario := generate(t)
			s := newSandbox(t)
			scenario.env = s.environment(t, s.url)
			require.Contains(t, scenario.run(t), "done\n")
		})
	}
}

// oapi-codegen and openapi-typescript read the contract of the control API, too. Other tests use their clients of /v1.
func TestControlClients(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it generates and compiles clients")
	t.Run("oapi-codegen", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		copyFiles(t, "testdata/go", dir)
		require.NoError(t, os.Mkdir(filepath.Join(dir, "control"), 0o700))
		requireQuiet(t, goTool(dir, oapiCodegen, "-generate", "types,client", "-package", "control", "-o", "control/control.go", document(t, "control")))
		requireQuiet(t, goProgram(dir, "build", "-trimpath", "./control"))
	})
	t.Run("openapi-typescript", func(t *testing.T) {
		t.Parallel()
		generator, compiler := script(t, "openapi-typescript/bin/cli.js"), script(t, "typescript/bin/tsc")
		dir := t.TempDir()
		requireQuiet(t, program{dir: dir, name: "node", args: []string{generator, document(t, "control"), "-o", "control.ts"}})
		requireQuiet(t, program{dir: dir, name: "node", args: []string{compiler, "--strict", "--noEmit", "control.ts"}})
	})
}

// ogen generates Go clients of both contracts, in a module of its own.
func ogen(t *testing.T) program {
	t.Helper()
	dir := t.TempDir()
	copyFiles(t, "testdata/ogen", dir)
	for name, pkg := range map[string]string{"v1": "client", "control": "control"} {
		requireQuiet(t, goTool(dir, "github.com/ogen-go/ogen/cmd/ogen", "--config", "ogen.yml", "--target", pkg, "--package", pkg, document(t, name)))
	}
	requireQuiet(t, goProgram(dir, "build", "-trimpath", "-o", "scenario", "."))
	return program{name: filepath.Join(dir, "scenario")}
}

func heyAPI(t *testing.T) program {
	t.Helper()
	return typeScript(t, "hey", script(t, "@hey-api/openapi-ts/bin/run.js"), "-f", "openapi-ts.config.mjs")
}

func orval(t *testing.T) program {
	t.Helper()
	return typeScript(t, "orval", script(t, "orval/dist/bin/orval.mjs"), "--config", "orval.config.mjs")
}

// typeScript runs a generator of TypeScript and compiles its code with the scenario of this name.
func typeScript(t *testing.T, name string, generator ...string) program {
	t.Helper()
	compiler := script(t, "typescript/bin/tsc")
	dir := t.TempDir()
	for _, file := range []string{"openapi-ts.config.mjs", "orval.config.mjs", "steps.ts", name + ".ts", "tsconfig.json"} {
		copyFile(t, filepath.Join("testdata/generated", file), filepath.Join(dir, file))
	}
	modules, err := filepath.Abs(filepath.Join(packages, "node_modules"))
	require.NoError(t, err)
	require.NoError(t, os.Symlink(modules, filepath.Join(dir, "node_modules")))
	where := append(os.Environ(), "V1="+document(t, "v1"), "CONTROL="+document(t, "control"))
	requireQuiet(t, program{dir: dir, name: "node", args: generator, env: where})
	requireQuiet(t, program{dir: dir, name: "node", args: []string{compiler, "-p", "."}})
	return program{dir: dir, name: "node", args: []string{filepath.Join("out", name+".js")}}
}

// quicktype generates Python classes of the schemas of both contracts. It reads JSON only.
func quicktype(t *testing.T) program {
	t.Helper()
	need(t, "python3")
	generator := script(t, "quicktype/dist/index.js")
	dir := t.TempDir()
	copyFiles(t, "testdata/python", dir)
	for name := range contracts {
		raw, err := os.ReadFile(document(t, name))
		require.NoError(t, err)
		var doc map[string]any
		require.NoError(t, yaml.Load(raw, &doc))
		inJSON, err := json.Marshal(doc)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".json"), inJSON, 0o600))
		requireQuiet(t, program{dir: dir, name: "node", args: []string{
			generator, "--lang", "python", "--python-version", "3.7", "--no-date-times", "--src-lang", "schema",
			"--src", name + ".json#/components/schemas/", "--out", name + ".py",
		}})
	}
	return program{dir: dir, name: "python3", args: []string{"-W", "error", "scenario.py"}}
}

// requireQuiet runs a program, and fails the test if it fails or its output has a warning.
func requireQuiet(t *testing.T, p program) {
	t.Helper()
	require.NotRegexp(t, warning, p.run(t), "%s %v", p.name, p.args)
}

// goProgram returns the go command in a module that is not part of a workspace.
func goProgram(dir string, args ...string) program {
	return program{dir: dir, name: "go", args: args, env: append(os.Environ(), "GOWORK=off")}
}

// goTool returns a tool of a module that is not part of a workspace. It is run with the flags of what else is built: go tool would compile the
// standard library once more, without -trimpath.
func goTool(dir, tool string, args ...string) program {
	return goProgram(dir, append([]string{"run", "-trimpath", tool}, args...)...)
}

// document returns the absolute path of a contract.
func document(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(contracts[name])
	require.NoError(t, err)
	return path
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(to, b, 0o600))
}
