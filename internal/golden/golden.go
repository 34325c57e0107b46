// Package golden reads the golden files of tests, and rewrites them when asked to. UPDATE_GOLDEN=1 go test ./... rewrites
// all of them, and so does make golden:
//
//	require.Equal(t, golden.Read(t, "testdata/a.golden", got), string(got))
package golden

import (
	"os"
	"path/filepath"
	"testing"
)

// Update reports whether the environment asks to rewrite golden files.
func Update() bool { return os.Getenv("UPDATE_GOLDEN") == "1" }

// Read returns the content of a golden file. If Update is true, it writes got to the file first.
func Read(t testing.TB, file string, got []byte) string {
	t.Helper()
	if Update() {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (run make golden to write it)", err)
	}
	return string(want)
}
