package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// word is one of a command line of the README: what stands in quotes is one.
var word = regexp.MustCompile(`'[^']*'|\S+`)

// The command lines of the README's section on backends are right, in every setting: doctor takes them.
func TestReadmeBackends(t *testing.T) {
	needFFmpeg(t)
	for _, name := range []string{"OPENAI_API_KEY", "ASSEMBLYAI_API_KEY", "DEEPGRAM_API_KEY", "ANTHROPIC_API_KEY"} {
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
