package docs_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"
)

// The Go code of the pages is part of a test or an Example, which every test run compiles and runs.
func TestGoCode(t *testing.T) {
	t.Parallel()
	var tests strings.Builder
	walkGo(t, func(file, text string) {
		if strings.HasSuffix(file, "_test.go") {
			tests.WriteString("\n" + unindented(text) + "\n")
		}
	})
	n := 0
	for _, p := range readPages(t, manual...) {
		for _, b := range p.blocks {
			if b.language == "go" && b.notRun == "" && p.name != "docs/go.md" { // which emulatortest compiles and runs
				n++
				require.True(t, strings.Contains(tests.String(), "\n"+unindented(b.text)), "%s: no test has this code", b.in(p))
			}
		}
	}
	require.Greater(t, n, 3)
}

// walkGo calls fn for each Go file of the repository, testdata apart.
func walkGo(t *testing.T, fn func(file, text string)) {
	t.Helper()
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && d.Name() != ".."):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(file, ".go"):
			return nil
		}
		raw, err := os.ReadFile(file)
		if err == nil {
			fn(file, string(raw))
		}
		return err
	})
	require.NoError(t, err)
}

// unindented returns code without the white space around its lines.
func unindented(code string) string {
	var b strings.Builder
	for line := range strings.Lines(code) {
		b.WriteString(strings.TrimSpace(line) + "\n")
	}
	return b.String()
}

// YAML and JSON of the pages can be parsed, and steps of GitHub jobs name actions of this repository that are there.
func TestData(t *testing.T) {
	t.Parallel()
	for _, p := range readPages(t, manual...) {
		for _, b := range p.blocks {
			switch b.language {
			case "json":
				require.True(t, json.Valid([]byte(b.text)), b.in(p))
			case "yaml":
				var any any
				require.NoError(t, yaml.Load([]byte(b.text), &any), b.in(p))
				for line := range strings.Lines(b.text) {
					_, action, found := strings.Cut(strings.TrimSpace(line), "uses: soundstage-dev/soundstage/")
					if action, _, _ = strings.Cut(action, "@"); found {
						require.FileExists(t, filepath.Join("..", action, "action.yml"), b.in(p))
					}
				}
			}
		}
	}
}

// JavaScript and Python of the pages have file names, and a command of the page runs them.
func TestPrograms(t *testing.T) {
	t.Parallel()
	for _, p := range readPages(t, manual...) {
		var commands strings.Builder
		for _, b := range p.blocks {
			if b.language == "sh" && b.notRun == "" {
				commands.WriteString(b.text)
			}
		}
		for _, b := range p.blocks {
			if b.language == "js" || b.language == "python" {
				require.NotEmpty(t, b.file, "%s: give it a name with <!-- file: NAME -->", b.in(p))
				requireText(t, commands.String(), b.file, b.in(p)+": no command of the page runs this program")
			}
		}
	}
}
