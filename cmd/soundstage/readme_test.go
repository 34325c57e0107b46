package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/backends"
	"github.com/soundstage-dev/soundstage/internal/golden"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// word is one of a command line of the README: what stands in quotes is one.
var word = regexp.MustCompile(`'[^']*'|\S+`)

// The command lines of the README's section on backends are right, in every setting: doctor takes them.
func TestReadmeBackends(t *testing.T) {
	slow.Skip(t, "it starts many programs")
	needFFmpeg(t)
	for _, name := range backends.Variables() {
		t.Setenv(name, plantedKey)
	}
	programs := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(programs, "whisper-cli"), []byte("#!/bin/sh\n"), 0o700))
	t.Setenv("PATH", programs+string(os.PathListSeparator)+os.Getenv("PATH"))
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	require.NoError(t, err)
	_, section, _ := strings.Cut(string(readme), "\n## Real backends\n")
	section, _, _ = strings.Cut(section, "\n## ")
	n := 0
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "soundstage ") {
			continue
		}
		n++
		line, _, _ = strings.Cut(line, " #")
		line = strings.ReplaceAll(line, "examples/", "../../examples/")
		flags := line[strings.Index(line, " --"):]
		if strings.Contains(flags, "--replay") {
			continue // of a folder that there isn't
		}
		flags = strings.ReplaceAll(flags, "testdata/", filepath.Join(t.TempDir(), "made")+"/")
		args := []string{"doctor", "--no-probe"}
		for _, w := range word.FindAllString(flags, -1) {
			args = append(args, strings.Trim(w, "'"))
		}
		code, out, errOut := cli(t, args...)
		require.Zero(t, code, "%s\n%s%s", line, out, errOut)
		require.NotContains(t, out, plantedKey)
	}
	require.Greater(t, n, 6)
}

// The README's tables of backends are those of the program: make generate writes them.
func TestReadmeBackendTables(t *testing.T) {
	t.Parallel()
	path := filepath.Join("..", "..", "README.md")
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	readme := string(b)
	for flag, kinds := range map[string][]backends.Kind{"transcriber": backends.TranscriberKinds(), "llm": backends.LLMKinds()} {
		head := "| `--" + flag + "` | what it is | key |\n|---|---|---|\n"
		before, after, found := strings.Cut(readme, head)
		require.True(t, found, "%s has the table of --%s: %s", path, flag, head)
		_, after, _ = strings.Cut(after, "\n\n")
		var rows strings.Builder
		for _, k := range kinds {
			key := ""
			if k.Variable != "" {
				key = "`" + k.Variable + "` "
			}
			fmt.Fprintf(&rows, "| `%s` | %s | %s|\n", k.Name, k.About, key)
			require.NotEmpty(t, k.About, "%s: say in its row of backends (kind.go) what it is", k.Name)
		}
		readme = before + head + rows.String() + "\n" + after
	}
	if golden.Update() {
		require.NoError(t, os.WriteFile(path, []byte(readme), 0o600))
		return
	}
	require.Equal(t, readme, string(b), "README.md: run make generate")
}
