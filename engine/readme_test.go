package engine_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

func readme(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	return string(b)
}

// Everything that the README points at is there.
func TestReadmeLinks(t *testing.T) {
	t.Parallel()
	links := regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(readme(t), -1)
	require.Greater(t, len(links), 20)
	for _, l := range links {
		if strings.HasPrefix(l[1], "#") { // a heading of its own
			require.Contains(t, strings.ToLower(readme(t)), "\n## "+l[1][1:]+"\n")
			continue
		}
		_, err := os.Stat(filepath.Join("..", l[1]))
		require.NoError(t, err, "README.md points at %s", l[1])
	}
}

// The README shows the diagrams that the tables draw.
func TestReadmeDiagrams(t *testing.T) {
	t.Parallel()
	text := readme(t)
	for _, m := range engine.Machines() {
		require.True(t, strings.Contains(text, "```mermaid\n"+m.Mermaid+"```\n"), "the README lacks the diagram of %s: it is in engine/testdata", m.Name)
	}
}

// The README's embedding example is the one that is compiled and run.
func TestReadmeExample(t *testing.T) {
	t.Parallel()
	_, rest, ok := strings.Cut(readme(t), "```go\n")
	require.True(t, ok)
	shown, _, ok := strings.Cut(rest, "```")
	require.True(t, ok)
	b, err := os.ReadFile("example_test.go")
	require.NoError(t, err)
	var code []string
	for _, line := range strings.Split(string(b), "\n") {
		code = append(code, strings.TrimPrefix(line, "\t"))
	}
	require.Contains(t, strings.Join(code, "\n"), shown)
}

// No table of the README is broken by an empty line, and “Where is…?” leads to every part.
func TestReadmeTables(t *testing.T) {
	t.Parallel()
	lines := strings.Split(readme(t), "\n")
	for i := 1; i+2 < len(lines); i++ {
		broken := lines[i] == "" && strings.HasPrefix(lines[i-1], "|") && strings.HasPrefix(lines[i+1], "|") && !strings.HasPrefix(lines[i+2], "|---")
		require.False(t, broken, "line %d", i+1)
	}
	_, where, ok := strings.Cut(readme(t), "\n## Where is…?\n")
	require.True(t, ok)
	where, _, _ = strings.Cut(where, "\n## ")
	for _, part := range []string{
		"engine/transcript/", "engine/captions/", "engine/search/", "engine/clips/", "engine/fault/", "engine/queue/", "engine/sqlite/", "engine/backends/",
		"engine/memory", "render/renderer.go", "emulator/sim/",
		"emulator/clock/", "emulator/worlds.go", "emulator/ids.go", "emulator/traffic/", "emulator/outbox/", "emulator/fixture/", "emulator/blobs",
		"emulator/emulatortest", "emulator/control", "cmd/soundstage/exec.go", "examples", "Dockerfile", "action/action.yml",
	} {
		require.Contains(t, where, "]("+part, part)
	}
}

// docs/architecture.md has a row for each package, and the files and tests that it names are there.
func TestArchitecturePage(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("../docs/architecture.md")
	require.NoError(t, err)
	page := string(b)
	packages, tests := map[string]bool{}, map[string]bool{}
	test := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err = filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() != ".." && strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(file, ".go"):
			return nil
		}
		packages[strings.TrimPrefix(path.Dir(filepath.ToSlash(file)), "../")] = true
		text, err := os.ReadFile(file)
		for _, m := range test.FindAllSubmatch(text, -1) {
			tests[string(m[1])] = true
		}
		return err
	})
	require.NoError(t, err)
	require.Greater(t, len(packages), 50)
	for pkg := range packages {
		require.Contains(t, page, "\n| `"+pkg+"` | ", "docs/architecture.md lacks a row for %s", pkg)
	}
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ").FindAllStringSubmatch(page, -1) {
		require.True(t, packages[m[1]], "docs/architecture.md has a row for %s, which is no package", m[1])
	}
	for _, m := range regexp.MustCompile("`((?:cmd|diarize|emulator|engine|examples|formats|internal|render)/[\\w./-]+)`").FindAllStringSubmatch(page, -1) {
		_, err := os.Stat(filepath.Join("..", m[1]))
		require.NoError(t, err, "docs/architecture.md names %s", m[1])
	}
	for _, m := range regexp.MustCompile(`\bTest[A-Z]\w+`).FindAllString(page, -1) {
		require.True(t, tests[m], "docs/architecture.md names %s", m)
	}
}
