package engine_test

import (
	"os"
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
		"engine/memory", "render/renderer.go", "emulator/sim/", "emulator/clock/", "emulator/worlds.go", "emulator/ids.go", "emulator/traffic/", "emulator/outbox/", "emulator/fixture/", "emulator/blobs",
		"emulator/emulatortest", "emulator/control", "cmd/soundstage/exec.go", "examples", "Dockerfile", "action/action.yml",
	} {
		require.Contains(t, where, "]("+part, part)
	}
}
