//go:build unix

package python_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// From an empty folder to the first green test, by the commands of the guide: a new environment, the installation of the wheel, and the test.
func BenchmarkGuide(b *testing.B) {
	needPython(b)
	wheels := buildWheel(b)
	text, _, found := strings.Cut(page(b, "../../docs/python.md"), "\n## Settings\n")
	require.True(b, found)
	for b.Loop() {
		follow(b, b.TempDir(), wheels, text)
	}
}

// suite has 100 tests, each with a world, a fault, and two requests.
const suite = `
import pytest

@pytest.mark.parametrize("number", range(100))
def test_world(soundstage, number):
    assert soundstage.api.list_recordings()["count"] == 0
    soundstage.faults.add("listSpaces", status=503)
    with pytest.raises(Exception, match="503"):
        soundstage.api.list_spaces()
`

// A suite of 100 tests with a world each, from the start of pytest to its end.
func BenchmarkSuite(b *testing.B) {
	needPython(b)
	dir, wheels := b.TempDir(), buildWheel(b)
	text, _, found := strings.Cut(page(b, "../../docs/python.md"), "\n## Settings\n")
	require.True(b, found)
	follow(b, dir, wheels, text)
	require.NoError(b, os.WriteFile(filepath.Join(dir, "test_suite.py"), []byte(suite), 0o600))
	for b.Loop() {
		cmd := environment(exec.Command(filepath.Join(dir, ".venv/bin/pytest"), "-q", "-p", "no:cacheprovider", "test_suite.py"), dir, wheels)
		cmd.Dir = dir
		run(b, cmd)
	}
}
