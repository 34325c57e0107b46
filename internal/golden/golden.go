// Package golden says whether tests write the files that they compare with. UPDATE_GOLDEN=1 go test ./... writes all of them (make golden).
package golden

import (
	"os"
	"path/filepath"
	"testing"
)

// Update reports whether the environment asks for golden files to be written.
func Update() bool { return os.Getenv("UPDATE_GOLDEN") == "1" }

// Read returns what a golden file says, after it was written with got when Update.
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
		t.Fatalf("%v (make golden writes it)", err)
	}
	return string(want)
}
