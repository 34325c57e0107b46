package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// module writes a module of two packages, one of which imports the other, and returns its folder.
func module(t *testing.T, more map[string]string) string {
	t.Helper()
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	files := map[string]string{
		"go.mod":          "module example.com/m\n\ngo 1.26\n",
		"a/a.go":          "package a\n\nimport \"os\"\n\nfunc A() *os.File { return os.Stdout }\n",
		"a/a_test.go":     "package a\n\nimport \"testing\"\n\nfunc Exported() int { return 1 }\n\nfunc TestA(t *testing.T) { _ = A() }\n",
		"b/b.go":          "package b\n\nimport \"example.com/m/a\"\n\nfunc B() { _ = a.A() }\n",
		"a/outer_test.go": "package a_test\n\nimport (\n\t\"testing\"\n\n\t\"example.com/m/a\"\n\t\"example.com/m/b\"\n)\n\nfunc TestB(t *testing.T) { b.B(); _ = a.Exported() }\n",
	}
	for name, text := range more {
		files[name] = text
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

// Mistakes are found in code, in tests, and in what another system lacks, and only there.
func TestSystemsFindMistakes(t *testing.T) {
	slow.Skip(t, "it reads the standard library")
	dir := module(t, map[string]string{
		"b/b_windows.go":      "package b\n\nfunc wrong() { var unused int }\n",
		"b/b_windows_test.go": "package b\n\nvar wrongly int = B\n",
		"b/c_windows_test.go": "package b_test\n\nimport \"example.com/m/b\"\n\nvar wrong = b.Absent\n",
		"c/c.go":              "package c\n",
		"c/c_windows.go":      "package c\n\nimport \"syscall\"\n\nvar wrong = syscall.Kill\n",
		"d/d.go":              "package d\n",
		"d/d_windows.go":      "package d\n\nfunc {\n",
	})
	require.NoError(t, run(t.Context(), dir, []string{"linux/amd64", "darwin/arm64"}))
	err := run(t.Context(), dir, []string{"windows/amd64"})
	for _, want := range []string{
		"b_windows.go:3:20: declared and not used: unused", "b_windows_test.go:3:19: cannot use B", "c_windows_test.go:5:15: undefined: b.Absent",
		"c_windows.go:5:21: undefined: syscall.Kill", "d_windows.go:3:6: expected 'IDENT'",
	} {
		require.ErrorContains(t, err, want)
	}
}

func TestSystemsNeedImports(t *testing.T) {
	dir := module(t, map[string]string{"b/b_windows.go": "package b\n\nimport _ \"example.com/absent\"\n"})
	require.ErrorContains(t, run(t.Context(), dir, []string{"windows/amd64"}), "example.com/absent")
}

func TestSystemsNeedASystem(t *testing.T) {
	require.ErrorContains(t, run(t.Context(), ".", []string{"windows"}), `"windows" is no system`)
	require.ErrorContains(t, run(t.Context(), ".", []string{"windows/pdp11"}), "pdp11")
}
